package io.vertxrdma.tools.doctor;

import io.vertx.core.json.JsonObject;
import java.util.Objects;

/**
 * One thing that was looked at.
 *
 * @param subject what, in a word or two
 * @param verdict how it is
 * @param text what was found
 * @param remedy what to do about it; empty when there is nothing to do
 */
record Finding(String subject, Verdict verdict, String text, String remedy) {

  /** How something is. */
  enum Verdict {
    /** As it should be. */
    OK,
    /** It works, but not everything, or not as well as it could. */
    WARN,
    /** What was asked for can't work. */
    FAIL
  }

  Finding {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(verdict, "verdict");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(remedy, "remedy");
  }

  static Finding ok(String subject, String text) {
    return new Finding(subject, Verdict.OK, text, "");
  }

  JsonObject json() {
    return new JsonObject()
        .put("subject", subject)
        .put("verdict", verdict.name())
        .put("finding", text)
        .put("remedy", remedy);
  }
}
