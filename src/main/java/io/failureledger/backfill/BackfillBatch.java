package io.failureledger.backfill;

import io.failureledger.event.Identity;
import java.util.ArrayList;
import java.util.List;

/** Users of one target that are requested together. Pure. */
public record BackfillBatch(String target, List<User> users) {
  /**
   * One user that a feed asks for.
   *
   * @param failedAt the newest failure the request answers, as the ledger wrote it
   */
  public record User(String feed, String userId, String failedAt) {}

  public BackfillBatch {
    users = List.copyOf(users);
  }

  /**
   * Batches of at most this size; a user that several feeds ask for is named once in each request.
   */
  static List<BackfillBatch> split(String target, List<User> users, int size) {
    List<BackfillBatch> batches = new ArrayList<>();
    for (int from = 0; from < users.size(); from += size) {
      batches.add(
          new BackfillBatch(target, users.subList(from, Math.min(users.size(), from + size))));
    }
    return batches;
  }

  List<String> userIds() {
    return users.stream().map(User::userId).distinct().toList();
  }

  /** Equal for a repeat of the same request, different once a user failed again. */
  String idempotencyKey() {
    return Identity.hashed(target + users);
  }
}
