package io.vertxrdma.tools.tune;

/** Keeps the library from warning of what a command does on purpose. */
final class Quiet {

  /** Of logback.xml, which is read when the first logger is made. */
  private static final String LOG_LEVEL = "vertx.rdma.log.level";

  private Quiet() {}

  /** Clamps and broken connections are this command's results; those who want more say so. */
  static void logging() {
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "ERROR");
    }
  }
}
