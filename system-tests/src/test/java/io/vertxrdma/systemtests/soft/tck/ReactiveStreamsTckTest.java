package io.vertxrdma.systemtests.soft.tck;

import static io.vertxrdma.systemtests.soft.tck.Verification.EACH_ITS_OWN;
import static io.vertxrdma.systemtests.soft.tck.Verification.NEVER_FAILED;
import static io.vertxrdma.systemtests.soft.tck.Verification.SINGLE_SUBSCRIBER;

import io.vertxrdma.systemtests.soft.tck.CountedPublisher.Way;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every stream of the library keeps the rules of Reactive Streams, as its TCK checks them. */
class ReactiveStreamsTckTest {

  private static LiveStreams live;

  @BeforeAll
  static void open() {
    live = new LiveStreams();
  }

  @AfterAll
  static void close() {
    live.close();
  }

  @TestFactory
  Stream<DynamicTest> immediates() {
    return Verification.of(live.immediates(Way.DIRECTLY), List.of(SINGLE_SUBSCRIBER));
  }

  @TestFactory
  Stream<DynamicTest> immediates_as_applications_subscribe() {
    return Verification.of(live.immediates(Way.AS_APPLICATIONS_DO), List.of(SINGLE_SUBSCRIBER));
  }

  @TestFactory
  Stream<DynamicTest> messages_of_sends() {
    return Verification.of(live.messages(Way.DIRECTLY), List.of(SINGLE_SUBSCRIBER));
  }

  @TestFactory
  Stream<DynamicTest> datagrams() {
    return Verification.of(live.datagrams(Way.DIRECTLY), List.of(SINGLE_SUBSCRIBER));
  }

  @TestFactory
  Stream<DynamicTest> messages_of_a_ring() {
    return Verification.of(live.ringMessages(Way.DIRECTLY), List.of(SINGLE_SUBSCRIBER));
  }

  @TestFactory
  Stream<DynamicTest> requests_of_a_server() {
    return Verification.of(live.connectRequests(Way.DIRECTLY), List.of(SINGLE_SUBSCRIBER));
  }

  @TestFactory
  Stream<DynamicTest> connections_of_a_server() {
    return Verification.of(live.serverConnections(Way.DIRECTLY), List.of(SINGLE_SUBSCRIBER));
  }

  @TestFactory
  Stream<DynamicTest> connections_of_a_client_one_after_the_other() {
    return Verification.of(live.reconnecting(Way.DIRECTLY), List.of(EACH_ITS_OWN));
  }

  @TestFactory
  Stream<DynamicTest> connection_manager_events_of_a_server() {
    return Verification.of(live.serverEvents(), List.of(NEVER_FAILED));
  }

  @TestFactory
  Stream<DynamicTest> connection_manager_events_of_a_client() {
    return Verification.of(live.clientEvents(), List.of(NEVER_FAILED));
  }

  @TestFactory
  Stream<DynamicTest> device_events() {
    return Verification.of(live.deviceEvents(), List.of(NEVER_FAILED));
  }
}
