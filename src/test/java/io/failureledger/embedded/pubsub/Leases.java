package io.failureledger.embedded.pubsub;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** A subscription's leases, by acknowledgement id and by deadline. Guarded by its lock. */
final class Leases {

  /**
   * An alarm may be outdated: its lease answered or its deadline moved. It knows the lease by its
   * id only, so that an answered message is not held until its deadline.
   */
  private record Alarm(String ackId, long at) {}

  private final Map<String, Lease> open = new HashMap<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(Comparator.comparingLong(Alarm::at));
  private long granted;

  Lease grant(QueuedMessage message, Receiver receiver, long deadline) {
    String ackId = "ack-" + message.sequence() + "-" + ++granted;
    Lease lease = new Lease(ackId, message, receiver, deadline);
    open.put(ackId, lease);
    alarms.add(new Alarm(lease.ackId(), deadline));
    return lease;
  }

  /** Ends a lease; null when it is unknown, answered or expired. */
  Lease end(String ackId) {
    return open.remove(ackId);
  }

  void move(String ackId, long deadline) {
    Lease lease = open.get(ackId);
    if (lease == null) {
      return;
    }
    if (deadline < lease.deadline()) {
      alarms.add(new Alarm(lease.ackId(), deadline));
    }
    lease.extendTo(deadline);
  }

  /** Ends the leases whose deadline has passed. */
  List<Lease> expire(long now) {
    List<Lease> expired = new ArrayList<>();
    while (!alarms.isEmpty() && alarms.peek().at() <= now) {
      Lease lease = open.get(alarms.remove().ackId());
      if (lease == null) {
        continue;
      }
      if (lease.deadline() <= now) {
        open.remove(lease.ackId());
        expired.add(lease);
      } else {
        alarms.add(new Alarm(lease.ackId(), lease.deadline()));
      }
    }
    return expired;
  }

  int size() {
    return open.size();
  }
}
