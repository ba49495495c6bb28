package io.vertxrdma.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StepTest {

  private static final RemoteMemory MEMORY = new RemoteMemory(0x7000_0000_1234L, -2, 4_096);
  private static final Step STEP = new Step(Step.Kind.WRITE, 1_024, 4_096, 60_000, MEMORY);

  @Test
  void a_step_is_what_was_sent_and_fits_a_request() {
    Buffer request = Step.clientSide().encode(STEP.encode());

    assertThat(request.length()).isLessThanOrEqualTo(56);
    assertThat(Step.decode(Step.serverSide().decode(request).application())).isEqualTo(STEP);
  }

  @Test
  void an_answer_is_what_was_sent() {
    Step.Answer answer = new Step.Answer(17, MEMORY);
    Buffer reply = Step.serverSide().encodeReply(answer.encode());

    assertThat(Step.Answer.decode(Step.clientSide().decodeReply(reply).application()))
        .isEqualTo(answer);
  }

  @Test
  void a_report_is_what_was_measured_also_what_was_not_counted() {
    Measured measured = new Measured(10, 1_000, 5, 9, OptionalLong.of(3), OptionalLong.empty());

    assertThat(Measured.decode(measured.encode())).isEqualTo(measured);
    assertThat(measured.encode().length()).isEqualTo(Measured.BYTES);
    assertThat(measured.point(4, 2).perSecond()).isEqualTo(1e7);
  }

  @Test
  void nonsense_is_refused_by_name_and_limit() {
    assertThatThrownBy(() -> Step.decode(Buffer.buffer(new byte[28])))
        .hasMessage("a step has 29 bytes, these are 28");
    assertThatThrownBy(() -> Step.decode(STEP.encode().setByte(0, (byte) 3)))
        .hasMessage("there is no step of kind 3");
    assertThatThrownBy(() -> Step.decode(STEP.encode().setInt(1, 1_025)))
        .hasMessage("depth must be 1..1024, was 1025");
    assertThatThrownBy(() -> Step.decode(STEP.encode().setInt(5, -1)))
        .hasMessage("length must be 1..1048576, was -1");
    assertThatThrownBy(() -> Step.decode(STEP.encode().setInt(9, 0)))
        .hasMessage("millis must be 1..60000, was 0");
    assertThatThrownBy(() -> Step.Answer.decode(Buffer.buffer(new byte[20])))
        .hasMessage("a send queue holds 1 or more, not 0");
  }
}
