package io.failureledger.event;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which headers of an event are kept. Stored headers are data: what Camel, Kafka or the Pub/Sub
 * client would obey is dropped on the way in, and dropped again before a replay, whatever wrote the
 * row.
 */
public final class HeaderRules {
  private static final List<String> OBEYED =
      List.of(
          "camel",
          "org.apache.camel.",
          "kafka.",
          "googclient_",
          "x-goog",
          "authorization",
          "grpc-timeout");
  private static final int MAX_HEADERS = 200;
  private static final int MAX_NAME = 250;

  /** Null where all names are allowed. */
  private final Pattern allowed;

  /**
   * @param allowList names separated by commas, {@code *} standing for any characters; {@code *}
   *     alone allows all that is not obeyed
   */
  public HeaderRules(String allowList) {
    allowed =
        allowList.strip().equals("*")
            ? null
            : Pattern.compile(
                Stream.of(allowList.split(","))
                    .map(String::strip)
                    .map(name -> Pattern.quote(name).replace("*", "\\E.*\\Q"))
                    .collect(Collectors.joining("|")),
                Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  /** The allowed headers in their order; null values stay, names are kept as received. */
  public List<Header> keep(List<Header> headers) {
    List<Header> kept = new ArrayList<>(Math.min(headers.size(), MAX_HEADERS));
    for (Header header : headers) {
      if (kept.size() < MAX_HEADERS && isKept(header.name())) {
        kept.add(header);
      }
    }
    return List.copyOf(kept);
  }

  private boolean isKept(String name) {
    return isData(name) && (allowed == null || allowed.matcher(name).matches());
  }

  /** False for a name that some component would obey instead of carry. */
  public static boolean isData(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      return false;
    }
    for (String obeyed : OBEYED) {
      if (name.regionMatches(true, 0, obeyed, 0, obeyed.length())) {
        return false;
      }
    }
    return true;
  }
}
