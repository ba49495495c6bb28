package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AddressException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of a GID table, of which network cards have two for each address. */
class SourceGidTest {

  @TempDir Path devices;

  private void type(int index, String type) throws IOException {
    Path types = Files.createDirectories(devices.resolve("twice0/ports/1/gid_attrs/types"));
    Files.writeString(types.resolve(String.valueOf(index)), type + "\n");
  }

  @Test
  void the_entry_of_RoCE_version_2_is_taken_wherever_it_is() throws IOException {
    try (FakeNativeCalls fake = new FakeNativeCalls().noDevices()) {
      fake.device("twice0").address("10.0.0.1").address("10.0.0.1").address("fd77::1");
      NativeDeviceContext device = (NativeDeviceContext) FakeProvider.over(fake).devices().get(0);
      InetAddress address = InetAddress.getByName("10.0.0.1");
      assertThat(SourceGid.of(device, address, devices)).isEqualTo(new SourceGid(1, 1));
      type(1, "IB/RoCE v1");
      type(2, "RoCE v2");
      assertThat(SourceGid.of(device, address, devices)).isEqualTo(new SourceGid(1, 2));
      assertThat(SourceGid.of(device, InetAddress.getByName("fd77::1"), devices))
          .isEqualTo(new SourceGid(1, 3));
      assertThatThrownBy(() -> SourceGid.of(device, InetAddress.getByName("10.0.0.9"), devices))
          .isInstanceOf(AddressException.class)
          .hasMessageContaining("twice0")
          .hasMessageContaining("10.0.0.9");
    }
  }
}
