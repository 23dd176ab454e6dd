package io.failureledger.event;

/**
 * The names under which an exchange carries what the bundle knows of its event. A handler may set
 * {@link #TARGET} and {@link #REASON}; the others are the bundle's own.
 */
public final class EventProperties {
  /**
   * What was read at ingest: the {@link Envelope}. It stays as it arrived, whatever a route does.
   */
  public static final String ENVELOPE = "envelope";

  /** A handler's: the name of the target it is writing to. */
  public static final String TARGET = "target";

  /** A handler's: why it succeeded without changing anything, such as {@code superseded}. */
  public static final String REASON = "reason";

  /** The reason of an event that met newer data. */
  public static final String SUPERSEDED = "superseded";

  /** Header that a handler gets: when the event was first received, the same on each replay. */
  public static final String RECEIVED_AT = "received-at";

  /** What the handler threw. */
  public static final String FAILURE = "failure";

  /** The event was parked, and so not delivered. */
  public static final String PARKED = "parked";

  /** How the event is acknowledged; none where its component does that by itself. */
  public static final String ACKNOWLEDGEMENT = "acknowledgement";

  /** Whether the replay probes a breaker. */
  public static final String PROBE = "probe";

  /** What can be settled without its handler, when that does not end. */
  public static final String ABANDONABLE = "abandonable";

  private EventProperties() {}
}
