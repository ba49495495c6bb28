package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.soft.cm.CmNet.Listener;
import io.vertxrdma.soft.cm.CmNet.Node;
import io.vertxrdma.soft.cm.CmNet.User;
import org.junit.jupiter.api.BeforeEach;

/** Two agents of which one listens, and the steps of a connection between them. */
abstract class CmPair {

  /** Longer than all retries of one message take. */
  static final long FOR_EVER = 100_000;

  static final long TIMEWAIT = 512;

  final CmNet net = new CmNet();
  final Node active = net.node("10.0.0.1");
  final Node passive = net.node("10.0.0.2");
  Listener listener;
  User asking;
  User asked;

  @BeforeEach
  void somebody_listens() {
    listener = passive.listen(CmNet.PORT);
  }

  void ask() {
    asking = active.connect(passive);
    net.deliver();
    asked = listener.only();
  }

  void accept() {
    assertThat(asked.connection.reply(passive.reply(asked.connection), CmNet.ACK_TIMEOUT)).isTrue();
    net.deliver();
  }

  void ready() {
    assertThat(asking.connection.ready()).isTrue();
    net.deliver();
  }

  void connect() {
    ask();
    accept();
    ready();
    assertThat(asking.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
    asking.told.clear();
    asked.told.clear();
    net.sent.clear();
  }
}
