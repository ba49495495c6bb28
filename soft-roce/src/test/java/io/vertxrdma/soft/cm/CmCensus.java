package io.vertxrdma.soft.cm;

/**
 * What an agent remembers.
 *
 * @param connections by our numbers
 * @param remotes connections by the numbers of peers
 * @param halfOpenSources addresses with requests that are not established
 * @param datagramRequests lookups and requests for datagram queue pairs
 */
public record CmCensus(int connections, int remotes, int halfOpenSources, int datagramRequests) {

  /** Counts, under the device lock. */
  public static CmCensus of(CmAgent agent) {
    return new CmCensus(
        agent.tables().all().size(),
        agent.tables().remotes(),
        agent.halfOpen().sources(),
        agent.sidr().pending());
  }

  /** The connection that stands. */
  public static CmConnection standing(CmAgent agent) {
    return agent.tables().all().stream()
        .filter(connection -> connection.state() == CmState.ESTABLISHED)
        .findFirst()
        .orElseThrow();
  }
}
