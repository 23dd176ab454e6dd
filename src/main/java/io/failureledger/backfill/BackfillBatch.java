package io.failureledger.backfill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.failureledger.backfill.BackfillRows.MarkRequested;
import io.failureledger.event.Identity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Users of one target that are requested together. Pure.
 *
 * @param owner the instance that claimed them
 */
public record BackfillBatch(String target, List<User> users, String owner) {
  private static final ObjectMapper JSON = new ObjectMapper();

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
  static List<BackfillBatch> split(String target, List<User> users, int size, String owner) {
    List<BackfillBatch> batches = new ArrayList<>();
    for (int from = 0; from < users.size(); from += size) {
      batches.add(
          new BackfillBatch(
              target, users.subList(from, Math.min(users.size(), from + size)), owner));
    }
    return batches;
  }

  /** The users, each once. */
  public List<String> userIds() {
    return users.stream().map(User::userId).distinct().toList();
  }

  /** Equal for a repeat of the same request, different once a user failed again. */
  public String idempotencyKey() {
    return Identity.hashed(target + users);
  }

  /** The request that the backfill endpoint takes, as JSON. */
  public byte[] request() throws JsonProcessingException {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("user_ids", userIds());
    request.put("target", target);
    return JSON.writeValueAsBytes(request);
  }

  /** The users and the failures that the endpoint was asked about. */
  public MarkRequested requested() {
    return new MarkRequested(
        each(User::feed), each(User::userId), each(User::failedAt), target, owner);
  }

  String[] each(Function<User, String> part) {
    return users.stream().map(part).toArray(String[]::new);
  }
}
