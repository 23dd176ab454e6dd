package io.failureledger.embedded.demo;

import java.util.List;

/**
 * What became of every published event id. Each is in exactly one of delivered to discarded, or
 * lost.
 *
 * @param lost ids, with where they were looked for
 * @param doubled effects that are there twice, or older than one that was there
 */
record Verdict(
    long published,
    long delivered,
    long resolved,
    long pending,
    long failed,
    long discarded,
    long backfilledUsers,
    long repeatedRuns,
    List<String> lost,
    List<String> doubled) {

  boolean holds() {
    return lost.isEmpty() && doubled.isEmpty();
  }

  /** The demo's last line. */
  String json() {
    return ("{\"published\":%d,\"delivered\":%d,\"resolved\":%d,\"pending\":%d,\"failed\":%d,"
            + "\"discarded\":%d,\"backfilled_users\":%d,\"repeated_runs\":%d,\"lost\":%d,"
            + "\"duplicated_effects\":%d}")
        .formatted(
            published,
            delivered,
            resolved,
            pending,
            failed,
            discarded,
            backfilledUsers,
            repeatedRuns,
            lost.size(),
            doubled.size());
  }
}
