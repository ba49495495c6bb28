package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortAttributes;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.TransportType;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;

/** A device of which only the identity matters. */
final class FakeDevice implements DeviceContext {

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public String driver() {
    return "soft";
  }

  @Override
  public TransportType transport() {
    return TransportType.ROCE;
  }

  @Override
  public DeviceAttributes attributes() {
    throw new UnsupportedOperationException();
  }

  @Override
  public PortAttributes queryPort(int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<InetAddress> addresses(int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PortCounters readCounters(int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionChannel createCompletionChannel() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionQueue createCompletionQueue(int entries, CompletionChannel channel) {
    throw new UnsupportedOperationException();
  }

  @Override
  public AsyncEventQueue asyncEvents() {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T attachment(Class<T> type, Supplier<T> maker) {
    throw new UnsupportedOperationException();
  }
}
