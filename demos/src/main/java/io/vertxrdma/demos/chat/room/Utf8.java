package io.vertxrdma.demos.chat.room;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Measures and cuts text by its bytes in UTF-8. */
public final class Utf8 {

  private Utf8() {}

  /** Bytes of a text. */
  public static int length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Cuts a text into parts of at most so many bytes, never within a character; one empty part for
   * an empty text.
   *
   * @param bytes 4 or more
   */
  public static List<String> split(String text, int bytes) {
    if (bytes < 4) {
      throw new IllegalArgumentException("bytes must be 4 or more, was " + bytes);
    }
    List<String> parts = new ArrayList<>();
    int start = 0;
    int size = 0;
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      int width = length(point);
      if (size + width > bytes) {
        parts.add(text.substring(start, at));
        start = at;
        size = 0;
      }
      size += width;
      at += Character.charCount(point);
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static int length(int point) {
    if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
      // Half a pair becomes a question mark.
      return 1;
    }
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
}
