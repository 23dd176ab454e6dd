package io.failureledger.embedded.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the targets hold, read from them directly: one effect a key, and what is there twice. */
final class FoundEffects {
  private final Map<String, Effect> byKey = new HashMap<>();
  private final List<String> doubled = new ArrayList<>();

  /** A row or a receipt; a second one of its key is a doubled effect. */
  void add(String key, Effect effect) {
    if (byKey.put(key, effect) != null) {
      addDoubled(key + " is there twice");
    }
  }

  void addDoubled(String what) {
    doubled.add(what);
  }

  Effect of(String key) {
    return byKey.get(key);
  }

  Map<String, Effect> all() {
    return byKey;
  }

  List<String> doubled() {
    return doubled;
  }
}
