package io.failureledger.event;

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

  private final Pattern allowed;

  /**
   * @param allowList names separated by commas, {@code *} standing for any characters; {@code *}
   *     alone allows all that is not obeyed
   */
  public HeaderRules(String allowList) {
    allowed =
        Pattern.compile(
            Stream.of(allowList.split(","))
                .map(String::strip)
                .map(name -> Pattern.quote(name).replace("*", "\\E.*\\Q"))
                .collect(Collectors.joining("|")),
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  /** The allowed headers in their order; null values stay, names are kept as received. */
  public List<Header> keep(List<Header> headers) {
    return headers.stream()
        .filter(header -> isData(header.name()) && allowed.matcher(header.name()).matches())
        .limit(MAX_HEADERS)
        .toList();
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
