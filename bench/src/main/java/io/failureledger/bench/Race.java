package io.failureledger.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Contenders over the same work in alternating rounds, so that a machine that is busy with
 * something else hits all of them. The first is the one measured, the others are its peers; a ratio
 * is the median of the rounds' ratios.
 */
final class Race {
  private final List<Contender> contenders;
  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  Race(Contender... contenders) {
    this.contenders = List.of(contenders);
    this.contenders.forEach(contender -> rates.put(contender.name(), new ArrayList<>()));
  }

  /** Warms up, then runs each contender once a round, beginning with another one each time. */
  Race run(int size, int rounds) throws Exception {
    return run(size, rounds, Sizes.warmUp(size));
  }

  /**
   * @param warmUp size of the work that warms up
   */
  Race run(int size, int rounds, int warmUp) throws Exception {
    for (Contender contender : contenders) {
      contender.rate(warmUp);
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        Contender contender = contenders.get((round + i) % contenders.size());
        rates.get(contender.name()).add(contender.rate(size));
      }
    }
    return this;
  }

  /** The median of the rounds' ratios, of the first contender to the named one. */
  double ratioTo(String peer) {
    return ratio(contenders.get(0).name(), peer);
  }

  /** The same of one contender to another. */
  double ratio(String one, String peer) {
    List<Double> own = rates.get(one);
    List<Double> others = rates.get(peer);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      ratios.add(own.get(i) / others.get(i));
    }
    return Figures.median(ratios);
  }

  /** Adds a line for each contender to the table and to the JSON. */
  void report(Figures figures) {
    report(figures, "");
  }

  /**
   * @param of what tells this race from others of the same figures
   */
  void report(Figures figures, String of) {
    figures.line("%-28s %14s %8s   %s", "", "median/s", "ratio", "rounds");
    String first = contenders.get(0).name();
    rates.forEach(
        (name, measured) -> {
          double median = Figures.median(measured);
          String ratio = name.equals(first) ? "" : "%.2f".formatted(ratioTo(name));
          figures.line("%-28s %,14.0f %8s   %s", name, median, ratio, Figures.list(measured));
          ObjectNode node = figures.json().putObject(of.isEmpty() ? name : of + ": " + name);
          node.put("median", Math.round(median));
          ArrayNode rounds = node.putArray("rounds");
          measured.forEach(rate -> rounds.add(Math.round(rate)));
          if (!name.equals(first)) {
            node.put("ratio", Figures.rounded(ratioTo(name)));
          }
        });
  }
}
