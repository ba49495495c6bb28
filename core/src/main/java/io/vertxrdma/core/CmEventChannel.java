package io.vertxrdma.core;

/**
 * The queue on which the connection manager reports events of its ids.
 *
 * <p>{@link #poll()} copies an event, private data included, and acknowledges it before it returns:
 * no event stays un-acknowledged, so no destroy can wait for one.
 */
public interface CmEventChannel extends EventSource, AutoCloseable {

  /**
   * The next event, already copied and acknowledged, or null when there is none now. May do
   * protocol work in the calling thread (librdmacm moves the queue pair to RTS and sends the RTU
   * here). Never blocks: null also while another thread destroys a queue pair of an id of this
   * channel; the source stays readable then.
   *
   * @throws RdmaException when reading failed for another reason than "nothing there"
   */
  CmEvent poll();

  /** Creates an id whose events arrive here. */
  CmId createId(PortSpace portSpace);

  /** The ids that live on this channel and are not closed. */
  int liveIds();

  /**
   * Closes the channel; idempotent.
   *
   * @throws IllegalStateException when ids still live on it
   */
  @Override
  void close();
}
