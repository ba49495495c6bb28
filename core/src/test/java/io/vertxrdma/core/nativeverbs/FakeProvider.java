package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.CmId;
import io.vertxrdma.core.RdmaProvider;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the production native provider over the fake library; for tests of other modules. */
public final class FakeProvider {

  private static final Pattern POINTER = Pattern.compile("cm id 0x([0-9a-f]+)");

  private FakeProvider() {}

  /** The native provider as it is, with the C functions played by the fake. */
  public static RdmaProvider over(FakeNativeCalls calls) {
    return new NativeProvider(calls);
  }

  /** The native pointer of an id of such a provider, open or closed, for {@code fake.event}. */
  public static long pointer(CmId id) {
    Matcher matcher = POINTER.matcher(id.toString());
    if (!matcher.find()) {
      throw new IllegalArgumentException("not an id of the native provider: " + id);
    }
    return Long.parseUnsignedLong(matcher.group(1), 16);
  }
}
