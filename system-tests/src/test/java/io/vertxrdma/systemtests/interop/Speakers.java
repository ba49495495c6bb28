package io.vertxrdma.systemtests.interop;

import io.vertx.core.Future;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.verbs.VerbsConnection;
import io.vertxrdma.tools.verbs.VerbsOptions;
import io.vertxrdma.tools.verbs.VerbsRun;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** The other ends of librdmacm's example programs, of perftest and of the C peer. */
final class Speakers {

  /** Up to 128 READs at a time: what NULL parameters of a C program on rxe ask for, too. */
  private static final int DEPTH = 128;

  private static final int TIMEOUT_SECONDS = 100;

  private final RdmaProvider provider;
  private final PrintWriter out;

  Speakers(RdmaProvider provider, PrintWriter out) {
    this.provider = provider;
    this.out = out;
  }

  /** Plays a part: program, {@code serve} or {@code connect}, address, port, words; says how. */
  String speak(String... words) {
    InetSocketAddress address = new InetSocketAddress(words[2], Integer.parseInt(words[3]));
    if (words[0].startsWith("ib_")) {
      return perftest(address, words);
    }
    String role = words[0] + ' ' + words[1];
    return switch (role) {
      case "ucmatose serve" -> serve(address, Ucmatose.OPTIONS, Ucmatose::serve);
      case "ucmatose connect" -> connect(address, Ucmatose.OPTIONS, Ucmatose::connect, null);
      case "operations serve" -> new OperationsPeer(provider, true).run(address, this::listening);
      case "operations connect" ->
          new OperationsPeer(provider, false).run(address, this::listening);
      case "simple serve" -> serve(address, Simple.OPTIONS, Simple::serve);
      case "simple connect" -> connect(address, Simple.OPTIONS, Simple::connect, null);
      case "refusal serve" -> refuse(address, words[4]);
      case "refusal connect" -> beRefused(address, words[4]);
      default -> throw new IllegalArgumentException("no such part: " + role);
    };
  }

  /** Program, role, address, port, iterations, bytes of each. */
  private String perftest(InetSocketAddress address, String... words) {
    return Session.run(
        session -> {
          PerftestPeer peer =
              new PerftestPeer(
                  session,
                  provider,
                  PerftestProgram.ofCommand(words[0]),
                  address,
                  Integer.parseInt(words[4]),
                  Integer.parseInt(words[5]));
          return words[1].equals("serve") ? peer.serve(this::listening) : peer.ask();
        });
  }

  private String serve(
      InetSocketAddress address,
      VerbsOptions options,
      Function<VerbsConnection, Future<String>> protocol) {
    return Session.run(
        session ->
            new VerbsRun(session, provider, options, TIMEOUT_SECONDS)
                .serve(address, this::listening, protocol));
  }

  private String connect(
      InetSocketAddress address,
      VerbsOptions options,
      Function<VerbsConnection, Future<String>> protocol,
      byte[] data) {
    ConnParam parameters = new ConnParam(data, DEPTH, DEPTH, 0, 6, 7, false, 0);
    return Session.run(
        session ->
            new VerbsRun(session, provider, options, TIMEOUT_SECONDS)
                .connect(address, parameters, protocol));
  }

  private String refuse(InetSocketAddress address, String words) {
    return Session.run(
        session ->
            new VerbsRun(session, provider, Simple.OPTIONS, TIMEOUT_SECONDS)
                .reject(address, this::listening, words.getBytes(StandardCharsets.UTF_8))
                .map(asked -> "asked: " + text(asked)));
  }

  private String beRefused(InetSocketAddress address, String words) {
    try {
      return connect(
          address,
          Simple.OPTIONS,
          connection -> Future.failedFuture("not refused"),
          words.getBytes(StandardCharsets.UTF_8));
    } catch (ConnectionRejectedException refused) {
      return "reason " + refused.reason() + ", answered: " + text(refused.privateData());
    }
  }

  private void listening() {
    out.println("listening");
  }

  /** Without the zeros at its end. */
  private static String text(byte[] padded) {
    return new String(padded, StandardCharsets.UTF_8).replaceFirst("\0+$", "");
  }
}
