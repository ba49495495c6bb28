package io.vertxrdma.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.tools.CommandRun;
import io.vertxrdma.tools.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

  @TempDir Path root;

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider hardware = FakeProvider.over(fake);

  /** A machine where all is well. */
  @BeforeEach
  void healthyMachine() throws IOException {
    write("sys/module/ib_uverbs/refcnt", "1");
    write("sys/module/rdma_ucm/refcnt", "1");
    write("dev/infiniband/rdma_cm", "");
    write("dev/infiniband/uverbs0", "");
    write("sys/class/infiniband/fake0/ports/1/state", "4: ACTIVE\n");
    write("sys/class/infiniband/fake0/ports/1/phys_state", "5: LinkUp\n");
    write(
        "proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max locked memory         unlimited            unlimited            bytes\n");
  }

  @AfterEach
  void close() {
    fake.close();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private CommandRun run(List<RdmaProvider> providers, String... options) {
    List<String> arguments = new ArrayList<>(List.of("doctor", "--root", root.toString()));
    arguments.addAll(Arrays.asList(options));
    return CommandRun.with(providers, arguments.toArray(String[]::new));
  }

  /** The findings about a subject, with verdict and remedy. */
  private JsonObject finding(String subject, String... options) {
    List<String> all = new ArrayList<>(List.of("--json"));
    all.addAll(Arrays.asList(options));
    CommandRun run = run(List.of(hardware), all.toArray(String[]::new));
    JsonArray findings = new JsonObject(run.out()).getJsonArray("findings");
    return findings.stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("subject").equals(subject))
        .reduce((first, last) -> last)
        .orElseThrow();
  }

  @Test
  void aMachineWhereAllIsWellIsSaidToBeWell() {
    CommandRun run = run(List.of(hardware));

    assertThat(run.out()).endsWith("Everything is well." + System.lineSeparator());
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(finding("port").getString("finding")).isEqualTo("fake0/1 is ACTIVE, link LinkUp");
    assertThat(finding("locked memory").getString("finding")).isEqualTo("no limit");
  }

  @Test
  void aMissingModuleIsNamedWithTheCommandThatLoadsIt() throws IOException {
    Files.delete(root.resolve("sys/module/rdma_ucm/refcnt"));
    Files.delete(root.resolve("sys/module/rdma_ucm"));

    assertThat(finding("modules"))
        .isEqualTo(
            new JsonObject()
                .put("subject", "modules")
                .put("verdict", "WARN")
                .put("finding", "not loaded: rdma_ucm")
                .put("remedy", "as root: modprobe -a rdma_ucm"));
    assertThat(finding("modules", "--provider", "native").getString("verdict")).isEqualTo("FAIL");
  }

  @Test
  void whatNativeLacksFailsTheCommandOnlyWhenNativeWasAskedFor() throws IOException {
    write("sys/class/infiniband/fake0/ports/1/state", "1: DOWN\n");

    assertThat(run(List.of(hardware)).exitCode()).isEqualTo(ExitCode.OK);
    CommandRun insisting = run(List.of(hardware), "--provider", "native");
    assertThat(insisting.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(insisting.out()).contains("FAIL  port").contains("ip link set NETDEV up");
  }

  @Test
  void aPortThatWaitsForASubnetManagerIsToldApart() throws IOException {
    write("sys/class/infiniband/fake0/ports/1/state", "2: INIT\n");

    assertThat(finding("port").getString("remedy")).contains("subnet manager");
  }

  @Test
  void littleLockedMemoryIsSaidWithItsSize() throws IOException {
    write("proc/self/limits", "Max locked memory         65536     65536      bytes\n");

    assertThat(finding("locked memory").getString("finding")).endsWith("limited to 64 KiB");
    assertThat(finding("locked memory").getString("remedy")).contains("ulimit -l unlimited");
  }

  @Test
  void deviceFilesWithoutRightsAreNamed() throws IOException {
    Path file = root.resolve("dev/infiniband/uverbs0");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    // Root may read everything, whatever the file says.
    boolean root = Files.isReadable(file);

    assertThat(finding("device files").getString("finding"))
        .isEqualTo(
            root
                ? "/dev/infiniband/rdma_cm, /dev/infiniband/uverbs0: readable and writable"
                : "no right to read and write /dev/infiniband/uverbs0");
  }

  @Test
  void withoutADeviceItSaysHowToHaveOne() throws IOException {
    Files.delete(root.resolve("dev/infiniband/uverbs0"));

    assertThat(finding("device files").getString("finding")).contains("no uverbs file");
    assertThat(finding("device files").getString("remedy")).contains("rdma link add");
  }

  @Test
  void whereNoProviderWorksThatIsAFailure() {
    CommandRun run = run(List.of());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).contains("FAIL  provider").contains("no RDMA provider is available");
  }

  @Test
  void anAddressOfNoDeviceIsAFailure() {
    CommandRun run = run(List.of(hardware), "--address", "192.0.2.77");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).contains("no device of the native provider has the address");
  }
}
