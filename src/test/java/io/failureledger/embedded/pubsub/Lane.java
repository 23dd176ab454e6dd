package io.failureledger.embedded.pubsub;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The messages of one ordering key: those that wait, and one batch that is out. When the whole
 * batch is answered, the first message that came back and <em>all</em> after it, acknowledged ones
 * included, wait again in their order: that is what Google's service does.
 */
final class Lane {

  private enum Answer {
    NONE,
    SETTLED,
    RETURNED
  }

  private static final class Sent {
    private final QueuedMessage message;
    private Answer answer = Answer.NONE;
    private long due;

    private Sent(QueuedMessage message) {
      this.message = message;
    }
  }

  private final Deque<QueuedMessage> waiting = new ArrayDeque<>();
  private final List<Sent> out = new ArrayList<>();
  private int unanswered;
  private long due = Long.MIN_VALUE;

  void add(QueuedMessage message) {
    waiting.addLast(message);
  }

  void fill(Batch batch) {
    while (!waiting.isEmpty() && batch.fits(waiting.peekFirst())) {
      QueuedMessage message = waiting.removeFirst();
      batch.add(message);
      out.add(new Sent(message));
      unanswered++;
    }
  }

  void settled(QueuedMessage message) {
    answer(message, Answer.SETTLED, Long.MIN_VALUE);
  }

  void returned(QueuedMessage message, long notBefore) {
    answer(message, Answer.RETURNED, notBefore);
  }

  private void answer(QueuedMessage message, Answer answer, long notBefore) {
    for (Sent sent : out) {
      if (sent.message == message && sent.answer == Answer.NONE) {
        sent.answer = answer;
        sent.due = notBefore;
        unanswered--;
        break;
      }
    }
    if (unanswered == 0) {
      takeBack();
    }
  }

  private void takeBack() {
    int first = 0;
    while (first < out.size() && out.get(first).answer == Answer.SETTLED) {
      first++;
    }
    due = first < out.size() ? out.get(first).due : Long.MIN_VALUE;
    for (int i = out.size() - 1; i >= first; i--) {
      waiting.addFirst(out.get(i).message);
    }
    out.clear();
  }

  /** Has messages to deliver, now or later, and none out. */
  boolean canSend() {
    return unanswered == 0 && !waiting.isEmpty();
  }

  /** Earliest time of the next delivery. */
  long due() {
    return due;
  }

  boolean isEmpty() {
    return unanswered == 0 && waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }
}
