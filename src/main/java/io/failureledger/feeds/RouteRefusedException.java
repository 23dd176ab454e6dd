package io.failureledger.feeds;

import java.util.List;

/**
 * A route would not do what was meant, or would lose or double events, so the bundle does not
 * start. The message is a sentence or two for the integration engineer; a repeat of the start says
 * the same.
 */
public final class RouteRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> about;

  /**
   * A refusal.
   *
   * @param about ids of the routes that it is about, by which their files are found
   */
  public RouteRefusedException(String sentence, String... about) {
    this(sentence, null, about);
  }

  /** A refusal because of what Camel or a rule said. */
  public RouteRefusedException(String sentence, Throwable cause, String... about) {
    super(sentence, cause);
    this.about = List.of(about);
  }

  /** Ids of routes. */
  public List<String> about() {
    return about;
  }
}
