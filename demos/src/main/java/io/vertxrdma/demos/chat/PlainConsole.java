package io.vertxrdma.demos.chat;

import io.vertxrdma.tools.Environment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Standard input and output, a line each. */
final class PlainConsole implements Console {

  private final BufferedReader in;
  private final PrintWriter out;

  PlainConsole(Environment environment) {
    this.in = new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8));
    this.out = environment.out();
  }

  @Override
  public String readLine() {
    try {
      return in.readLine();
    } catch (IOException gone) {
      // An input that can't be read has ended.
      return null;
    }
  }

  @Override
  public void print(Shown what) {
    print(what.plain());
  }

  void print(String line) {
    out.println(line);
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
