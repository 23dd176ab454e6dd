package io.failureledger.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The site of a campaign: the ordered feed {@code probe} with one target, {@code probe-shops} with
 * many, topics for each, and settings so short that much happens in a second.
 */
final class CampaignSite {
  private CampaignSite() {}

  static Site of(long seed) {
    Site site = new Site("probe", "probe-shops").withKafka(4).asRunner();
    CampaignTarget.createTables(site.ledger);
    topics(site);
    site.set("probe.order", "subject")
        .set("probe.consumers", "2")
        .set("probe.target", CampaignHandler.ONLY_TARGET)
        .set("handler.timeout", "1s")
        .set("replay.lease", "5s")
        .set("replay.batch.size", "10")
        .set("replay.slice.size", "5")
        .set("replay.parallelism", "4")
        .set("shutdown.timeout", "10s")
        .set("ledger.pool.size", "6")
        .set("ledger.statement.timeout", "3s")
        .set("order.period", "200ms")
        .set("order.max.behind", "5")
        .set("breaker.threshold", "5")
        .set("breaker.share.events", "60")
        .set("breaker.share.window", "5s")
        .set("breaker.probe.period", "500ms")
        .set("breaker.refresh.period", "200ms")
        .set("breaker.hold", "5s")
        .set("ledger.unresolved.period", "300ms")
        .set("ledger.max.unresolved", new SplittableRandom(seed).nextInt(3) == 0 ? "300" : "100000")
        .set("policy.probe.first", "100ms")
        .set("policy.probe.base", "200ms")
        .set("policy.probe.cap", "1s")
        .set("policy.probe.attempts", "4")
        .set("policy.probe.history", "1000")
        .set("policy.probe.jitter", "full")
        .set("policy.probe.terminal", "*.CampaignHandler$HopelessException")
        .set("policy.probe.pause", "java.net.ConnectException");
    adapt(site.home);
    return site;
  }

  private static void topics(Site site) {
    for (String quality : List.of("topic", "retry.topic", "dead-letter.topic")) {
      site.set("shops." + quality, site.name + "-shops-" + quality.replace('.', '-'));
      Servers.kafka().createTopic(site.get("shops." + quality), quality.equals("topic") ? 4 : 1);
    }
    site.set("shops.group", site.name + "-shops");
  }

  /** Feeds of different topics, and consumers that are missed soon when they die. */
  private static void adapt(Path home) {
    try (Stream<Path> files = Files.walk(home.resolve("routes"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
        String text =
            Files.readString(file)
                .replaceAll(
                    "( +)pollTimeoutMs: .*",
                    "$0\n$1sessionTimeoutMs: 6000\n$1heartbeatIntervalMs: 1000");
        Files.writeString(
            file,
            file.endsWith("probe-shops.camel.yaml") ? text.replace("{{probe.", "{{shops.") : text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the effects go: the site's database, by another user than the ledger's. */
  static String target(Site site) {
    return Servers.postgres().jdbcUrl(site.name);
  }

  /** What a forked bundle's handler has to know. */
  static List<String> arguments(Site site, long seed) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Dcampaign.seed=" + seed);
    arguments.add("-Dcampaign.target=" + target(site));
    arguments.add("-Dlogback.configurationFile=campaign-logback.xml");
    arguments.add("-Dcampaign.log=" + System.getProperty("campaign.log", site.home.toString()));
    return arguments;
  }

  /** How the settings of the feed's topics begin. */
  static String prefix(String feed) {
    return feed.equals(CampaignTraffic.ORDERED) ? "probe" : "shops";
  }

  /** Partitions whose records are not all consumed, and the retry topic's. */
  static List<String> lag(Site site, String feed, KafkaTopic topic) {
    String prefix = prefix(feed);
    List<String> left = new ArrayList<>(lag(site.get(prefix + ".group"), topic));
    try (KafkaTopic retries = new KafkaTopic(site.get(prefix + ".retry.topic"))) {
      left.addAll(lag(site.get(prefix + ".group") + "-retry", retries));
    }
    return left;
  }

  private static List<String> lag(String group, KafkaTopic topic) {
    Map<Integer, Long> ends = new TreeMap<>();
    topic.all().forEach(record -> ends.merge(record.partition(), record.offset() + 1, Math::max));
    return ends.entrySet().stream()
        .filter(end -> topic.committed(group, end.getKey()) < end.getValue())
        .map(end -> group + " does not consume partition " + end.getKey())
        .toList();
  }
}
