package io.vertxrdma.cm;

/** Who takes the completions of a queue pair, and in which poll it last had some. On the loop. */
final class RegisteredHandler {

  final CompletionHandler handler;
  private long lastPoll;

  RegisteredHandler(CompletionHandler handler) {
    this.handler = handler;
  }

  /** Whether this is its first completion of that poll; polls are numbered from 1. */
  boolean isFirstOf(long poll) {
    boolean first = lastPoll != poll;
    lastPoll = poll;
    return first;
  }
}
