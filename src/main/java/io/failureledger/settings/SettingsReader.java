package io.failureledger.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Resolves every known key and judges the outcome as a whole, so that all problems are told at
 * once.
 */
final class SettingsReader {

  private final Path home;
  private final Sources sources;
  private final RouteKeys routeKeys;
  private final SortedMap<String, Setting> known = new TreeMap<>();
  private final SortedMap<String, String> values = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private SettingsReader(Path home, Sources sources) {
    this.home = home;
    this.sources = sources;
    this.routeKeys = RouteKeys.below(home);
  }

  static Settings read(Path home, Sources sources) {
    SettingsReader reader = new SettingsReader(home, sources);
    reader.collectKnown();
    reader.known.values().forEach(reader::resolve);
    reader.resolveOwnKeys();
    reader.refuseUnknown();
    reader.refuseSenseless();
    if (!reader.problems.isEmpty()) {
      throw new InvalidSettingsException(reader.problems);
    }
    return new Settings(home, reader.known, reader.values);
  }

  private void collectKnown() {
    Catalogue.single().forEach(setting -> known.put(setting.key(), setting));
    Set<String> policies = new TreeSet<>(PolicySettings.SHIPPED);
    Set<String> mentioned = new TreeSet<>(sources.keys());
    mentioned.addAll(routeKeys.keys());
    mentioned.stream()
        .filter(key -> PolicySettings.find(key).isPresent())
        .forEach(key -> PolicySettings.nameIn(key).ifPresent(policies::add));
    policies.forEach(
        name -> PolicySettings.of(name).forEach(setting -> known.put(setting.key(), setting)));
  }

  private void resolve(Setting setting) {
    String value = sources.value(setting.key()).orElse(setting.defaultValue());
    setting.problem(value).ifPresent(problems::add);
    if (setting.kind() == Kind.FILE && !value.isEmpty() && !setting.isWord(value)) {
      value = existing(setting, value);
    }
    if (setting.kind() == Kind.BASE_URL) {
      value = value.replaceAll("/+$", "");
    }
    values.put(
        setting.key(),
        setting.key().equals("instance.name") && value.isEmpty() ? hostAndPid() : value);
  }

  private String existing(Setting setting, String value) {
    Path file = home.resolve(value).normalize();
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      problems.add(
          setting.key() + "=" + value + " is not allowed; there is no readable file " + file + ".");
    }
    return file.toString();
  }

  private void resolveOwnKeys() {
    for (String key : routeKeys.keys()) {
      if (!known.containsKey(key)) {
        sources.value(key).ifPresent(value -> values.put(key, value));
      }
    }
  }

  private void refuseUnknown() {
    Set<String> candidates = new TreeSet<>(known.keySet());
    candidates.addAll(routeKeys.keys());
    for (String key : sources.keys()) {
      if (key.startsWith("camel.")) {
        problems.add(
            key
                + " is not allowed; Camel's options are set by the bundle, an endpoint's options go into its URI.");
      } else if (!candidates.contains(key)) {
        String hint =
            Suggestion.nearest(key, candidates)
                .map(near -> "; did you mean " + near + "?" + routeKeys.usedBy(near))
                .orElse("; no route uses {{" + key + "}} either.");
        problems.add("unknown setting " + key + hint);
      }
    }
  }

  private void refuseSenseless() {
    if (allowed("replay.lease")
        && allowed("handler.timeout")
        && Durations.parse(values.get("replay.lease"))
                .compareTo(Durations.parse(values.get("handler.timeout")).multipliedBy(3))
            < 0) {
      problems.add(
          "replay.lease="
              + values.get("replay.lease")
              + " is not allowed; it must be at least three times handler.timeout="
              + values.get("handler.timeout")
              + ", else too little of it is left to run a handler to its end.");
    }
    if (allowed("backfill.backoff.base")
        && allowed("backfill.backoff.cap")
        && longer("backfill.backoff.base", "backfill.backoff.cap")) {
      problems.add(
          "backfill.backoff.cap="
              + values.get("backfill.backoff.cap")
              + " is not allowed; it must be at least backfill.backoff.base="
              + values.get("backfill.backoff.base")
              + ".");
    }
    if (routeKeys.pubsubFeed() && values.get("pubsub.project").isEmpty()) {
      problems.add(
          "pubsub.project is not set; a feed under routes/feeds/ reads from Pub/Sub and needs it.");
    }
    for (String key : known.keySet()) {
      PolicySettings.nameIn(key)
          .filter(
              name ->
                  key.endsWith(".cap")
                      && PolicySettings.of(name).stream().allMatch(s -> allowed(s.key())))
          .ifPresent(name -> problems.addAll(PolicySettings.problems(name, values::get)));
    }
  }

  private boolean allowed(String key) {
    return known.get(key).problem(values.get(key)).isEmpty();
  }

  private boolean longer(String key, String other) {
    return Durations.parse(values.get(key)).compareTo(Durations.parse(values.get(other))) > 0;
  }

  private static String hostAndPid() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "localhost";
    }
    return host + "-" + ProcessHandle.current().pid();
  }
}
