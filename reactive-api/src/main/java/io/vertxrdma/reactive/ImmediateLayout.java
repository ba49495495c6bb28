package io.vertxrdma.reactive;

import io.vertxrdma.core.ImmediateData;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Splits the unsigned 32 bits of an immediate into named fields.
 *
 * <pre>{@code
 * ImmediateLayout layout = ImmediateLayout.builder().field("type", 8).field("index", 24).build();
 *
 *  31      24 23                     0
 * |   type   |         index          |
 *
 * connection.writeImmediate(layout.of("type", 3).with("index", 9).toLong()); // 0x03000009
 * }</pre>
 *
 * <p>The first field has the highest bits, up to bit 31; bits that no field has are the lowest, and
 * zero. Both ends have to use the same layout: nothing of it travels. The names are for programs
 * and error texts; where they cost too much, look a {@link Field} up once and use that.
 *
 * <p>Instances are immutable and may be used from any thread.
 */
public final class ImmediateLayout {

  /** The bits of an immediate. */
  public static final int BITS = 32;

  private final Map<String, Field> byName;
  private final List<Field> fields;

  private ImmediateLayout(Map<String, Integer> widths) {
    this.byName = new LinkedHashMap<>();
    int shift = BITS;
    for (Map.Entry<String, Integer> entry : widths.entrySet()) {
      shift -= entry.getValue();
      byName.put(entry.getKey(), new Field(this, entry.getKey(), entry.getValue(), shift));
    }
    this.fields = List.copyOf(byName.values());
  }

  /** Begins a layout. */
  public static Builder builder() {
    return new Builder();
  }

  /** The fields, that of the highest bits first. */
  public List<Field> fields() {
    return fields;
  }

  /**
   * A field by its name; keep it where immediates are many.
   *
   * @throws IllegalArgumentException naming the fields there are, when this is none of them
   */
  public Field field(String name) {
    Field field = byName.get(name);
    if (field == null) {
      throw new IllegalArgumentException(
          "no field \"" + name + "\" in this layout; it has " + this);
    }
    return field;
  }

  /**
   * A value with one field set and all others 0.
   *
   * @throws IllegalArgumentException for a field this layout does not have, or a value that does
   *     not fit into it
   */
  public Value of(String name, long value) {
    return new Value(this, 0).with(name, value);
  }

  /**
   * The fields of an immediate that came.
   *
   * @param immediate 0..4294967295
   * @throws IllegalArgumentException for an immediate out of range
   */
  public Value of(long immediate) {
    return new Value(this, ImmediateData.ofUnsigned(immediate));
  }

  /**
   * One field of an immediate.
   *
   * @param immediate 0..4294967295
   * @throws IllegalArgumentException for a field this layout does not have, or an immediate out of
   *     range
   */
  public long get(long immediate, String name) {
    return field(name).get(immediate);
  }

  /**
   * Begins a router by the values of a field.
   *
   * @throws IllegalArgumentException for a field this layout does not have
   */
  public ImmediateRouter route(String name) {
    return field(name).route();
  }

  /** For example {@code type:8 index:24}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Field field : fields) {
      text.append(text.isEmpty() ? "" : " ").append(field.name).append(':').append(field.width);
    }
    return text.toString();
  }

  /** Whether the other has the same fields at the same bits. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ImmediateLayout that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** Some of an immediate's bits under a name. Reading and writing it allocates nothing. */
  public static final class Field {

    private final ImmediateLayout layout;
    private final String name;
    private final int width;
    private final int shift;
    private final int mask;

    private Field(ImmediateLayout layout, String name, int width, int shift) {
      this.layout = layout;
      this.name = name;
      this.width = width;
      this.shift = shift;
      this.mask = (int) ((1L << width) - 1);
    }

    /** What the layout calls it. */
    public String name() {
      return name;
    }

    /** Its bits, 1..32. */
    public int width() {
      return width;
    }

    /** The largest value it holds: 2^width - 1. */
    public long max() {
      return ImmediateData.toUnsigned(mask);
    }

    /** Its value in an immediate that came as an int, see {@link Immediate#intValue()}. */
    public long get(int immediate) {
      return ImmediateData.toUnsigned((immediate >>> shift) & mask);
    }

    /**
     * Its value in an immediate.
     *
     * @param immediate 0..4294967295
     * @throws IllegalArgumentException for an immediate out of range
     */
    public long get(long immediate) {
      return get(ImmediateData.ofUnsigned(immediate));
    }

    /** Its value in an immediate that came. */
    public long get(Immediate immediate) {
      return get(immediate.intValue());
    }

    /**
     * The immediate with this field set, and all other bits as they were.
     *
     * @param immediate 0..4294967295
     * @param value 0 up to {@link #max()}
     * @return 0..4294967295
     * @throws IllegalArgumentException for an immediate or a value out of range
     */
    public long set(long immediate, long value) {
      return ImmediateData.toUnsigned(put(ImmediateData.ofUnsigned(immediate), value));
    }

    private int put(int immediate, long value) {
      checkValue(value);
      return immediate & ~(mask << shift) | (int) value << shift;
    }

    /** Begins a router by the values of this field. */
    public ImmediateRouter route() {
      return new ImmediateRouter(this);
    }

    /** Throws for a value that does not fit. */
    void checkValue(long value) {
      if (value < 0 || value > max()) {
        throw new IllegalArgumentException(
            "field \""
                + name
                + "\" has "
                + width
                + (width == 1 ? " bit" : " bits")
                + " and holds 0.."
                + max()
                + ", was "
                + value
                + "; what does not fit into an immediate belongs into the bytes written with it,"
                + " or, if it is known from the start, into the private data of connect and accept");
      }
    }

    /** For example {@code index:24 of type:8 index:24}. */
    @Override
    public String toString() {
      return name + ":" + width + " of " + layout;
    }
  }

  /** One immediate, seen through its layout. */
  public static final class Value {

    private final ImmediateLayout layout;
    private final int bits;

    private Value(ImmediateLayout layout, int bits) {
      this.layout = layout;
      this.bits = bits;
    }

    /**
     * The same with one field changed.
     *
     * @throws IllegalArgumentException for a field the layout does not have, or a value that does
     *     not fit into it
     */
    public Value with(String name, long value) {
      return new Value(layout, layout.field(name).put(bits, value));
    }

    /**
     * A field's value.
     *
     * @throws IllegalArgumentException for a field the layout does not have
     */
    public long get(String name) {
      return layout.field(name).get(bits);
    }

    /** The immediate, 0..4294967295, as {@link RdmaConnection#writeWithImmediate} takes it. */
    public long toLong() {
      return ImmediateData.toUnsigned(bits);
    }

    /** The same 32 bits as an int, negative from 2^31 on. */
    public int toInt() {
      return bits;
    }

    /** For example {@code 0x03000009 (type 3, index 9)}. */
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(String.format("0x%08x (", bits));
      String separator = "";
      for (Field field : layout.fields) {
        text.append(separator).append(field.name).append(' ').append(field.get(bits));
        separator = ", ";
      }
      return text.append(')').toString();
    }

    /** Whether the other is the same immediate in the same layout. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Value that && bits == that.bits && layout.equals(that.layout);
    }

    @Override
    public int hashCode() {
      return 31 * layout.hashCode() + bits;
    }
  }

  /** Collects the fields of a layout, that of the highest bits first. */
  public static final class Builder {

    private final Map<String, Integer> widths = new LinkedHashMap<>();
    private int used;

    private Builder() {}

    /**
     * Adds a field below those there are.
     *
     * @param name not blank, and not used yet
     * @param width its bits, 1..32; all fields together have at most 32
     * @throws IllegalArgumentException naming the limit and what was given
     */
    public Builder field(String name, int width) {
      Objects.requireNonNull(name, "name");
      if (name.isBlank()) {
        throw new IllegalArgumentException("a field needs a name");
      }
      if (width < 1 || width > BITS) {
        throw new IllegalArgumentException(
            "field \"" + name + "\" must have 1..32 bits, was " + width);
      }
      if (widths.containsKey(name)) {
        throw new IllegalArgumentException("there is a field \"" + name + "\" already");
      }
      if (used + width > BITS) {
        throw new IllegalArgumentException(
            "field \""
                + name
                + "\" of "
                + width
                + " bits does not fit: an immediate has 32, and "
                + used
                + " are taken");
      }
      used += width;
      widths.put(name, width);
      return this;
    }

    /**
     * The layout.
     *
     * @throws IllegalStateException when it has no field
     */
    public ImmediateLayout build() {
      if (widths.isEmpty()) {
        throw new IllegalStateException("a layout needs a field");
      }
      return new ImmediateLayout(widths);
    }
  }
}
