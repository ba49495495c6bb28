package io.vertxrdma.reactive;

import java.util.Objects;

/**
 * The immediates of a {@link RingChannel}, so that an application's own can share the connection.
 * Both ends have to use the same.
 *
 * <pre>
 *            type field        number field
 * message    message type      the slot that was written, 0 up to slots - 1
 * credit     credit type       slots the reader gives back, 1 up to slots
 * </pre>
 *
 * <p>The length of a message is the byte length of the write that brought it; a credit comes
 * without bytes. Fields of the layout other than these two are 0 and not looked at.
 */
public final class RingFormat {

  /**
   * Type in the highest 8 bits, number in the other 24; 254 is a message, 255 a credit, and 0..253
   * are the application's.
   */
  public static final RingFormat DEFAULT =
      new RingFormat(
          ImmediateLayout.builder().field("type", 8).field("number", 24).build(),
          "type",
          254,
          255,
          "number");

  private final ImmediateLayout.Field type;
  private final ImmediateLayout.Field number;
  private final long messageType;
  private final long creditType;

  private RingFormat(
      ImmediateLayout layout,
      String typeField,
      long messageType,
      long creditType,
      String numberField) {
    this.type = layout.field(typeField);
    this.number = layout.field(numberField);
    this.messageType = messageType;
    this.creditType = creditType;
    if (type == number) {
      throw new IllegalArgumentException(
          "type and number must be two fields, both are \"" + typeField + "\"");
    }
    type.checkValue(messageType);
    type.checkValue(creditType);
    if (messageType == creditType) {
      throw new IllegalArgumentException(
          "messages and credits must have different types, both are " + messageType);
    }
  }

  /**
   * A format within an application's layout.
   *
   * @param typeField the name of the field that tells messages and credits from others
   * @param messageType its value in a message
   * @param creditType its value in a credit
   * @param numberField the name of the field for a slot or a count; its maximum is also that of the
   *     slots of a ring
   * @throws IllegalArgumentException for a field the layout does not have, values that do not fit,
   *     or the same twice
   */
  public static RingFormat of(
      ImmediateLayout layout,
      String typeField,
      long messageType,
      long creditType,
      String numberField) {
    Objects.requireNonNull(layout, "layout");
    return new RingFormat(layout, typeField, messageType, creditType, numberField);
  }

  /** The field that tells messages and credits from other immediates. */
  public ImmediateLayout.Field type() {
    return type;
  }

  /** The field of a message's slot and a credit's count. */
  public ImmediateLayout.Field number() {
    return number;
  }

  /** The type of a message. */
  public long messageType() {
    return messageType;
  }

  /** The type of a credit. */
  public long creditType() {
    return creditType;
  }

  /** The immediate of a message. */
  public long message(int slot) {
    return number.set(type.set(0, messageType), slot);
  }

  /** The immediate that gives slots back. */
  public long credit(int count) {
    return number.set(type.set(0, creditType), count);
  }
}
