package io.vertxrdma.demos.chat;

import io.vertxrdma.tools.Environment;

/** Lines from a person or a script, and lines for them. */
interface Console extends AutoCloseable {

  /** The next line; null at the end. Blocks. */
  String readLine();

  /** Shows something; blocks while the reader does not keep up. May be called by another thread. */
  void print(Shown what);

  /** What to ask the person with from now on. */
  default void setPrompt(String prompt) {}

  @Override
  void close();

  /** A terminal if there is one, otherwise plain lines, so that scripts can chat. */
  static Console open(Environment environment, String prompt) {
    if (environment.in() == System.in && TerminalConsole.isTerminal()) {
      return new TerminalConsole(prompt);
    }
    return new PlainConsole(environment);
  }
}
