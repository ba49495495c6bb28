package io.vertxrdma.tools;

import java.util.List;

/** Breaks text into lines that a terminal of 80 columns shows whole. */
public final class TextColumns {

  /** The widest line. */
  public static final int WIDTH = 80;

  private TextColumns() {}

  /** A sentence, broken between words; all but its first line are indented by that many columns. */
  public static String wrapped(String text, int indent) {
    return wrapped(List.of(text.split(" ")), indent);
  }

  /**
   * Parts with a space between them, broken only there; a part wider than a line stays whole.
   *
   * @param indent columns before the first part, which the caller prints, and before further lines
   */
  public static String wrapped(List<String> parts, int indent) {
    StringBuilder lines = new StringBuilder();
    int column = indent;
    for (String part : parts) {
      if (column > indent && column + 1 + part.length() > WIDTH) {
        lines.append(System.lineSeparator()).append(" ".repeat(indent));
        column = indent;
      } else if (column > indent) {
        lines.append(' ');
        column++;
      }
      lines.append(part);
      column += part.length();
    }
    return lines.toString();
  }
}
