package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.Availability.Cause;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A machine without library, module, device or rights gets one plain sentence, again and again. */
class R6_UnavailableTest {

  @ParameterizedTest
  @CsvSource({
    "19, NO_DEVICE, No such device",
    "2, KERNEL_SUPPORT_MISSING, rdma_ucm",
    "38, KERNEL_SUPPORT_MISSING, rdma_ucm",
    "13, NO_RIGHTS, Permission denied",
    "1, NO_RIGHTS, /dev/infiniband/rdma_cm"
  })
  void what_the_event_channel_says_becomes_a_cause_and_a_sentence(
      int errno, Cause cause, String words) {
    try (FakeNativeCalls fake = new FakeNativeCalls()) {
      fake.failNext("rdma_create_event_channel", errno);
      Availability availability = FakeProvider.over(fake).availability();
      assertThat(availability.cause()).isEqualTo(cause);
      assertThat(availability.reason()).contains("rdma_create_event_channel").contains(words);
      fake.assertClean();
    }
  }

  @Test
  void no_device_in_the_list_is_no_device() {
    try (FakeNativeCalls fake = new FakeNativeCalls().noDevices()) {
      assertThat(FakeProvider.over(fake).availability().cause()).isEqualTo(Cause.NO_DEVICE);
    }
  }

  @Test
  void the_answer_is_remembered_and_every_use_says_the_same() throws Exception {
    try (FakeNativeCalls fake = new FakeNativeCalls()) {
      fake.failNext("rdma_create_event_channel", 19);
      RdmaProvider provider = FakeProvider.over(fake);
      InetAddress address = InetAddress.getByName("10.0.0.1");
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(provider::createEventChannel)
            .isInstanceOf(ProviderUnavailableException.class)
            .hasMessageContaining("No such device");
        assertThatThrownBy(provider::devices).isInstanceOf(ProviderUnavailableException.class);
        assertThatThrownBy(() -> provider.deviceFor(address))
            .isInstanceOf(ProviderUnavailableException.class);
        assertThat(provider.availability().cause()).isEqualTo(Cause.NO_DEVICE);
      }
      assertThat(fake.calls("rdma_create_event_channel")).hasSize(1);
    }
  }

  @Test
  void a_library_that_is_missing_is_named_with_the_package_that_has_it() {
    RdmaProvider provider =
        new NativeProvider(
            () -> JnrCalls.load("libibverbs-that-is-not-there.so.1", JnrCalls.CM), null);
    assertThat(provider.availability().cause()).isEqualTo(Cause.LIBRARY_MISSING);
    assertThat(provider.availability().reason())
        .contains("libibverbs-that-is-not-there.so.1")
        .contains("install");
  }

  @Test
  void a_library_without_the_functions_is_named_with_the_first_one_that_is_missing() {
    RdmaProvider provider = new NativeProvider(() -> JnrCalls.load("libc.so.6", "libc.so.6"), null);
    assertThat(provider.availability().cause()).isEqualTo(Cause.LIBRARY_MISSING);
    assertThat(provider.availability().reason()).contains("libc.so.6").contains("ibv_");
  }

  @Test
  void a_linkage_error_is_an_answer_and_not_repeated_as_a_missing_class() {
    RdmaProvider provider =
        new NativeProvider(
            () -> {
              throw new UnsatisfiedLinkError("jffi can't be unpacked");
            },
            null);
    for (int i = 0; i < 2; i++) {
      assertThat(provider.availability().cause()).isEqualTo(Cause.LIBRARY_MISSING);
      assertThatThrownBy(provider::devices)
          .isInstanceOf(ProviderUnavailableException.class)
          .hasMessageContaining("jffi can't be unpacked");
    }
  }

  @Test
  void an_available_provider_says_what_it_found() {
    try (FakeNativeCalls fake = new FakeNativeCalls()) {
      fake.device("fake1").iwarp();
      Availability availability = FakeProvider.over(fake).availability();
      assertThat(availability.isAvailable()).isTrue();
      assertThat(availability.reason()).contains("fake0 (ROCE)").contains("fake1 (IWARP)");
      fake.assertClean();
    }
  }

  @Test
  void the_service_loader_finds_the_native_provider_on_any_machine() {
    RdmaProvider provider = RdmaProviders.named("native");
    assertThat(provider).isInstanceOf(NativeProvider.class);
    // Whatever the answer is here, asking must not throw.
    assertThat(provider.availability().reason()).isNotBlank();
    assertThatThrownBy(() -> RdmaProviders.named("none-such"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("native");
  }

  private static Availability on(Path root, FakeNativeCalls fake) {
    return new NativeProvider(() -> fake, new Machine("Linux", "amd64", root)).availability();
  }

  @Test
  void devices_without_the_cm_device_file_need_the_module_rdma_ucm(@TempDir Path root)
      throws Exception {
    Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
    try (FakeNativeCalls fake = new FakeNativeCalls()) {
      Availability availability = on(root, fake);
      assertThat(availability.cause()).isEqualTo(Cause.KERNEL_SUPPORT_MISSING);
      assertThat(availability.reason()).contains("rdma_cm").contains("rdma_ucm");
      // librdmacm would wait for the file for seconds, so it is not asked.
      assertThat(fake.calls()).isEmpty();
    }
  }

  @Test
  void a_machine_with_everything_is_available(@TempDir Path root) throws Exception {
    Files.createDirectories(root.resolve("sys/class/infiniband/fake0"));
    Files.createDirectories(root.resolve("dev/infiniband"));
    Files.createFile(root.resolve("dev/infiniband/rdma_cm"));
    try (FakeNativeCalls fake = new FakeNativeCalls()) {
      assertThat(on(root, fake).isAvailable()).isTrue();
    }
  }

  @Test
  void devices_that_librdmacm_can_not_open_are_a_matter_of_rights(@TempDir Path root)
      throws Exception {
    Files.createDirectories(root.resolve("sys/class/infiniband/fake0"));
    Files.createDirectories(root.resolve("dev/infiniband"));
    Files.createFile(root.resolve("dev/infiniband/rdma_cm"));
    try (FakeNativeCalls fake = new FakeNativeCalls()) {
      // The channel and the layout check go through; then the list is empty.
      fake.failNext("rdma_get_devices", 19, 2);
      Availability availability = on(root, fake);
      assertThat(availability.cause()).isEqualTo(Cause.NO_RIGHTS);
      assertThat(availability.reason()).contains("uverbs");
    }
  }

  @ParameterizedTest
  @CsvSource({"Mac OS X, aarch64", "Windows 11, amd64", "Linux, s390x"})
  void another_platform_is_named_and_nothing_is_loaded(String system, String processor) {
    NativeProvider provider =
        new NativeProvider(
            () -> {
              throw new AssertionError("loaded");
            },
            new Machine(system, processor, Path.of("/")));
    assertThat(provider.availability().cause()).isEqualTo(Cause.UNSUPPORTED_PLATFORM);
    assertThat(provider.availability().reason()).contains(system).contains(processor);
  }
}
