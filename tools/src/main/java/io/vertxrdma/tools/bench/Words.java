package io.vertxrdma.tools.bench;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads an option that knows a few words: an enum's, as {@code toString} has them; a base class.
 */
abstract class Words<E extends Enum<E>> implements ITypeConverter<E> {

  private final E[] known;

  Words(Class<E> type) {
    known = type.getEnumConstants();
  }

  @Override
  public E convert(String text) {
    return Stream.of(known)
        .filter(each -> each.toString().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "must be one of "
                        + Stream.of(known).map(E::toString).collect(Collectors.joining(", "))
                        + ", was "
                        + text));
  }

  /** The verbs. */
  static final class Verbs extends Words<Verb> {
    Verbs() {
      super(Verb.class);
    }
  }

  /** The modes. */
  static final class Modes extends Words<Mode> {
    Modes() {
      super(Mode.class);
    }
  }
}
