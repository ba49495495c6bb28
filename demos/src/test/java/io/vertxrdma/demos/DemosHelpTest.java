package io.vertxrdma.demos;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.Main;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemosHelpTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logsync", "logsync serve", "logsync send", "logsync demo",
        "rpc", "rpc serve", "rpc call", "rpc demo"
      })
  void helpFitsEightyColumns(String command) {
    StringWriter out = new StringWriter();
    Environment environment =
        new Environment(
            InputStream.nullInputStream(),
            new PrintWriter(out, true),
            new PrintWriter(PrintWriter.nullWriter()),
            List::of);

    assertThat(Main.run(environment, (command + " --help").split(" "))).isZero();

    assertThat(out.toString()).startsWith("Usage: vertx-rdma " + command);
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }
}
