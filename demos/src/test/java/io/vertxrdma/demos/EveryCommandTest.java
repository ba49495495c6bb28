package io.vertxrdma.demos;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.Main;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Help and wrong arguments of every command there is, as the command itself knows them. There is no
 * RDMA device here: a wrong argument that went unnoticed would end in another exit code.
 */
class EveryCommandTest {

  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, Integer.class, long.class, Long.class, BigDecimal.class);
  private static final Pattern RANGE =
      Pattern.compile("must be (-?[\\d.]+?)(?:\\.\\.| or )([\\d.]+)");

  private static final StringWriter OUT = new StringWriter();
  private static final StringWriter ERR = new StringWriter();

  /** One for all tests: to make it takes longer than to parse with it. */
  private static final CommandLine ROOT =
      Main.commandLine(
          new Environment(
              InputStream.nullInputStream(),
              new PrintWriter(OUT, true),
              new PrintWriter(ERR, true),
              () -> List.of(noProvider())));

  /** What a run printed and how it ended. */
  private record Run(int exitCode, String out, String err) {}

  private static Run run(List<String> arguments) {
    OUT.getBuffer().setLength(0);
    ERR.getBuffer().setLength(0);
    int exitCode = ROOT.execute(arguments.toArray(String[]::new));
    return new Run(exitCode, OUT.toString(), ERR.toString());
  }

  private static RdmaProvider noProvider() {
    return (RdmaProvider)
        Proxy.newProxyInstance(
            EveryCommandTest.class.getClassLoader(),
            new Class<?>[] {RdmaProvider.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "name" -> "native";
                  case "availability" ->
                      Availability.unavailable(Availability.Cause.NO_DEVICE, "there is no device");
                  default -> throw new AssertionError("asked for " + method);
                });
  }

  static Stream<String> everyCommand() {
    List<String> all = new ArrayList<>();
    collect(ROOT, all);
    return all.stream();
  }

  static Stream<String> everyCommandThatTakesArguments() {
    return everyCommand().filter(name -> !isGroup(command(name)));
  }

  static Stream<String> everyGroup() {
    return everyCommand().filter(name -> isGroup(command(name)));
  }

  static Stream<String> everyOptionThatIsANumber() {
    return options(option -> NUMBERS.contains(option.type()));
  }

  static Stream<String> everyOptionThatKnowsSomeWords() {
    return options(option -> option.type().isEnum());
  }

  static Stream<String> everyOptionForAProvider() {
    return options(option -> option.longestName().equals("--provider"));
  }

  static Stream<String> everyRequiredOption() {
    return options(ArgSpec::required);
  }

  /** As {@code command --option}. */
  private static Stream<String> options(Predicate<OptionSpec> wanted) {
    return everyCommand()
        .flatMap(
            name ->
                command(name).getCommandSpec().options().stream()
                    .filter(option -> !option.hidden() && wanted.test(option))
                    .map(option -> (name + " " + option.longestName()).strip()));
  }

  private static void collect(CommandLine command, List<String> into) {
    into.add(
        String.join(
            " ", words(command.getCommandSpec().qualifiedName()).stream().skip(1).toList()));
    command.getSubcommands().values().forEach(subcommand -> collect(subcommand, into));
  }

  private static CommandLine command(String name) {
    CommandLine command = ROOT;
    for (String word : words(name)) {
      command = command.getSubcommands().get(word);
    }
    return command;
  }

  private static boolean isGroup(CommandLine command) {
    return !command.getSubcommands().isEmpty()
        && command.getCommandSpec().positionalParameters().isEmpty();
  }

  private static List<String> words(String text) {
    return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).toList();
  }

  /** The command with what it requires, and nothing wrong. */
  private static List<String> sound(String name) {
    return soundWithout(name, "");
  }

  private static List<String> soundWithout(String name, String left) {
    List<String> arguments = new ArrayList<>(words(name));
    for (OptionSpec option : command(name).getCommandSpec().options()) {
      if (option.required() && !option.longestName().equals(left)) {
        arguments.add(option.longestName() + "=" + value(option));
      }
    }
    for (PositionalParamSpec parameter : command(name).getCommandSpec().positionalParameters()) {
      if (parameter.required() || parameter.arity().max() == 1) {
        arguments.add(value(parameter));
      }
    }
    return arguments;
  }

  /** A file that can be read, or what passes for an address, a name or a directory to be made. */
  private static String value(ArgSpec argument) {
    return argument.isPositional() && argument.typeInfo().isCollection() ? "pom.xml" : "127.0.0.1";
  }

  private static Run assertRefused(List<String> arguments) {
    Run run = run(arguments);
    assertThat(run.exitCode()).as("exit code of %s", arguments).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err())
        .startsWith("vertx-rdma: ")
        .contains("; see 'vertx-rdma")
        .contains(" --help'");
    return run;
  }

  /** With one option more, as {@code --name=value}. */
  private static Run assertRefused(String commandAndOption, String value) {
    int at = commandAndOption.lastIndexOf(' ');
    String name = at < 0 ? "" : commandAndOption.substring(0, at);
    String option = commandAndOption.substring(at + 1);
    List<String> arguments = new ArrayList<>(soundWithout(name, option));
    arguments.add(words(name).size(), option + "=" + value);
    Run run = assertRefused(arguments);
    assertThat(run.err()).contains(value);
    return run;
  }

  @Test
  void the_commands_of_all_modules_are_found() {
    assertThat(everyCommand().toList())
        .contains("", "devices", "tune serve", "chat join", "rpc call");
    assertThat(everyOptionThatIsANumber().toList()).hasSizeGreaterThan(20);
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyCommand")
  void help_says_usage_and_purpose_and_fits_a_terminal(String name) {
    List<String> arguments = new ArrayList<>(words(name));
    arguments.add("--help");

    Run run = run(arguments);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith(("Usage: vertx-rdma " + name).strip() + " ");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run.out()).doesNotContain("${", "%n", "null");
    assertThat(String.join(" ", command(name).getCommandSpec().usageMessage().description()))
        .matches("[A-Z].*\\.");
    for (OptionSpec option : command(name).getCommandSpec().options()) {
      assertThat(String.join(" ", option.description()))
          .as(option.longestName())
          .matches(option.hidden() ? ".*" : ".+\\.");
    }
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyCommand")
  void an_unknown_option_is_named(String name) {
    List<String> arguments = new ArrayList<>(sound(name));
    arguments.add("--no-such-option");

    assertThat(assertRefused(arguments).err()).contains("there is no option '--no-such-option'");
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyRequiredOption")
  void who_mistypes_a_required_option_is_told_of_it(String commandAndOption) {
    int at = commandAndOption.lastIndexOf(' ');
    String option = commandAndOption.substring(at + 1);
    List<String> arguments =
        new ArrayList<>(soundWithout(commandAndOption.substring(0, at), option));
    arguments.add(option + "x=127.0.0.1");

    assertThat(assertRefused(arguments).err())
        .contains("there is no option '" + option + "x=127.0.0.1' (did you mean " + option);
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyCommandThatTakesArguments")
  void a_superfluous_argument_is_named(String name) {
    List<String> arguments = new ArrayList<>(sound(name));
    arguments.add("surplus");

    assertThat(assertRefused(arguments).err()).contains("surplus");
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyGroup")
  void a_group_says_which_commands_it_has(String name) {
    List<String> arguments = new ArrayList<>(words(name));
    assertThat(assertRefused(arguments).err()).contains("a command is missing");

    arguments.add("nonsense");

    assertThat(assertRefused(arguments).err())
        .contains("there is no command 'nonsense', only ")
        .contains(command(name).getSubcommands().keySet());
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyRequiredOption")
  void a_missing_option_is_named(String commandAndOption) {
    int at = commandAndOption.lastIndexOf(' ');
    String option = commandAndOption.substring(at + 1);

    assertThat(assertRefused(soundWithout(commandAndOption.substring(0, at), option)).err())
        .contains(option);
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyCommandThatTakesArguments")
  void a_missing_argument_is_named(String name) {
    for (PositionalParamSpec parameter : command(name).getCommandSpec().positionalParameters()) {
      if (parameter.required() || parameter.arity().max() == 1) {
        List<String> arguments = new ArrayList<>(sound(name));
        arguments.remove(arguments.size() - 1);

        assertThat(assertRefused(arguments).err()).contains(parameter.paramLabel());
      }
    }
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyOptionThatIsANumber")
  void a_number_out_of_range_is_named_with_the_range(String commandAndOption) {
    String option = commandAndOption.substring(commandAndOption.lastIndexOf(' ') + 1);
    String error = assertRefused(commandAndOption, "-2147483648").err();
    Matcher range = RANGE.matcher(error);

    assertThat(error).contains(option + " must be ");
    assertThat(range.find()).as(error).isTrue();
    for (String bound : List.of(range.group(1), range.group(2))) {
      BigDecimal beyond = new BigDecimal(bound);
      beyond =
          bound.equals(range.group(1)) ? beyond.subtract(beyond.ulp()) : beyond.add(beyond.ulp());
      assertThat(assertRefused(commandAndOption, beyond.toPlainString()).err())
          .contains(option)
          .contains("must be ")
          .contains(bound);
    }
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyOptionThatIsANumber")
  void what_is_no_number_is_named(String commandAndOption) {
    assertThat(assertRefused(commandAndOption, "many").err()).contains("'many' is no ");
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyOptionThatKnowsSomeWords")
  void an_unknown_word_is_named_with_those_there_are(String commandAndOption) {
    int at = commandAndOption.lastIndexOf(' ');
    Object[] known =
        command(commandAndOption.substring(0, at))
            .getCommandSpec()
            .findOption(commandAndOption.substring(at + 1))
            .type()
            .getEnumConstants();

    assertThat(assertRefused(commandAndOption, "sideways").err())
        .contains(Stream.of(known).map(Object::toString).toList());
  }

  @ParameterizedTest(name = "vertx-rdma {0}")
  @MethodSource("everyOptionForAProvider")
  void an_unknown_provider_is_named_with_those_there_are(String commandAndOption) {
    assertThat(assertRefused(commandAndOption, "nobody").err()).contains("native");
    assertThat(Path.of("127.0.0.1")).doesNotExist();
  }
}
