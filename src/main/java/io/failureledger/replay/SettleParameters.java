package io.failureledger.replay;

import io.failureledger.event.TargetName;
import io.failureledger.event.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A slice of outcomes as the arrays that {@code settle-outcomes.sql} takes. */
final class SettleParameters {
  private static final int MAX_REASON = 200;

  private SettleParameters() {}

  static Map<String, Object> of(List<Outcome> slice, String instance) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("ids", slice.stream().mapToLong(o -> o.claim().id()).toArray());
    parameters.put("tokens", slice.stream().mapToLong(o -> o.claim().token()).toArray());
    parameters.put("outcomes", texts(slice, o -> o.kind().name().toLowerCase(Locale.ROOT)));
    parameters.put(
        "delays", slice.stream().mapToDouble(o -> o.delay().toMillis() / 1000.0).toArray());
    parameters.put("reasons", texts(slice, o -> Text.bounded(o.reason(), MAX_REASON)));
    parameters.put("targets", texts(slice, o -> TargetName.of(o.target())));
    parameters.put("error_types", texts(slice, Outcome::errorType));
    parameters.put("error_classes", texts(slice, Outcome::errorColumn));
    parameters.put("error_messages", texts(slice, Outcome::errorMessage));
    parameters.put("durations", slice.stream().mapToLong(o -> o.took().toMillis()).toArray());
    boolean[] deadLetters = new boolean[slice.size()];
    for (int i = 0; i < deadLetters.length; i++) {
      deadLetters[i] = slice.get(i).deadLetter();
    }
    parameters.put("dead_letters", deadLetters);
    parameters.put("histories", slice.stream().mapToInt(Outcome::history).toArray());
    parameters.put("instance", instance);
    return parameters;
  }

  private static String[] texts(
      List<Outcome> slice, java.util.function.Function<Outcome, String> text) {
    return slice.stream().map(text).toArray(String[]::new);
  }
}
