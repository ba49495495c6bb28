package io.vertxrdma.tools;

import java.math.BigDecimal;
import java.math.BigInteger;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** How numbers among the arguments are read, and what is said of what is none. */
final class Numbers {

  private Numbers() {}

  /** Reads the numbers of this command and its subcommands. */
  static void register(CommandLine command) {
    command
        .registerConverter(
            int.class, text -> (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE))
        .registerConverter(
            Integer.class, text -> (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE))
        .registerConverter(long.class, text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE))
        .registerConverter(Long.class, text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE))
        .registerConverter(BigDecimal.class, Numbers::decimal);
  }

  private static long whole(String text, long least, long most) {
    BigInteger value;
    try {
      value = new BigInteger(text);
    } catch (NumberFormatException none) {
      throw new TypeConversionException("'" + text + "' is no whole number");
    }
    if (value.compareTo(BigInteger.valueOf(most)) > 0) {
      throw new TypeConversionException("must be at most " + most + ", was " + text);
    }
    if (value.compareTo(BigInteger.valueOf(least)) < 0) {
      throw new TypeConversionException("must be at least " + least + ", was " + text);
    }
    return value.longValue();
  }

  private static BigDecimal decimal(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException none) {
      throw new TypeConversionException("'" + text + "' is no number");
    }
  }
}
