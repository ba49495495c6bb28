package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A chat hub and members, each a process of its own, over the kernel's RDMA. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ChatProcessesTest {

  private static final String PORT = "18517";
  private static final Pattern SKIPPED = Pattern.compile("\\* \\.\\.\\. (\\d+) lines skipped");

  private Command hub;
  private Command anna;
  private Command bert;

  @BeforeAll
  void open_a_room() throws Exception {
    Command.requireNativeProvider();
    hub =
        Command.vertxRdma(
                "hub",
                "chat",
                "serve",
                "--address",
                Command.ADDRESS,
                "--port",
                PORT,
                "--room",
                "ops")
            .listens(true);
    anna = join("anna").sees("* welcome to ops; here: anna");
    bert = join("bert").sees("* welcome to ops; here: anna, bert");
    anna.sees("* bert joined");
  }

  @AfterAll
  void close_the_room() {
    for (Command member : new Command[] {anna, bert, hub}) {
      if (member != null) {
        System.out.println(shortened(member.transcript()));
        member.close();
      }
    }
  }

  /** Hundreds of numbered lines say no more than the first and the last. */
  private static String shortened(String transcript) {
    return transcript.replaceAll("(?m)^.*: line (?!1$|500$)\\d+\\R", "");
  }

  private Command join(String nick) throws Exception {
    return Command.vertxRdma(
        nick, "chat", "join", "--address", Command.ADDRESS, "--port", PORT, "--nick", nick);
  }

  @Test
  void members_hear_each_other() throws Exception {
    anna.types("hello bert");
    bert.sees("anna: hello bert").types("grüße, anna");
    anna.sees("bert: grüße, anna").types("/who").sees("* here: anna, bert");
  }

  @Test
  void a_taken_nickname_is_refused_in_words() throws Exception {
    try (Command second = join("Anna")) {
      assertThat(second.exitCode()).as(second.transcript()).isEqualTo(1);
      assertThat(second.err()).contains("vertx-rdma: the hub refused: the nickname Anna is taken");
      assertThat(second.out()).isEmpty();
    }
  }

  @Test
  void coming_and_going_is_told_whether_by_word_or_by_death() throws Exception {
    try (Command carl = join("carl");
        Command dora = join("dora")) {
      carl.seesLine("a welcome", line -> line.startsWith("* welcome to ops"));
      dora.seesLine("a welcome", line -> line.startsWith("* welcome to ops"));
      carl.types("/quit");
      anna.sees("* carl left");
      assertThat(carl.exitCode()).as(carl.transcript()).isZero();
      dora.signal("KILL");
      anna.seesLine("that dora was lost", line -> line.startsWith("* dora is gone: "));
    }
  }

  @Test
  void a_member_that_stands_still_misses_lines_and_nobody_else_does() throws Exception {
    bert.signal("STOP");
    try {
      for (int i = 1; i <= 500; i++) {
        anna.types("line " + i);
      }
      for (int i = 1; i <= 500; i++) {
        hub.sees("anna: line " + i);
      }
      anna.types("/who").sees("* here: anna, bert");
    } finally {
      bert.signal("CONT");
    }

    bert.sees("anna: line 1").sees("anna: line 200");
    Matcher skipped =
        SKIPPED.matcher(bert.seesLine("how many it missed", SKIPPED.asMatchPredicate()));
    assertThat(skipped.matches()).isTrue();
    assertThat(Integer.parseInt(skipped.group(1))).isBetween(100, 300);
    anna.types("are you back?");
    bert.sees("anna: are you back?");
  }
}
