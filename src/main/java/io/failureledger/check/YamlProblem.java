package io.failureledger.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.failureledger.settings.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.dsl.yaml.YamlRoutesBuilderLoader;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * What Camel's YAML reader refuses, with the place, and the word of Camel's own schema that is
 * nearest.
 */
final class YamlProblem {
  private static final Pattern WORD =
      Pattern.compile("(?:[Uu]nknown node id|[Uu]nsupported field): ?(\\S+)");
  private static final String SCHEMA = "/schema/camelYamlDsl.json";

  private YamlProblem() {}

  static String of(MarkedYamlEngineException problem, RouteFiles files) {
    Mark mark = problem.getProblemMark().orElseThrow();
    String place = files.shown(mark.getName()) + ", line " + (mark.getLine() + 1) + ": ";
    Matcher word = WORD.matcher(String.valueOf(problem.getProblem()));
    if (word.find()) {
      // Camel's mark is where the step or route begins that has the word.
      return files.from(files.shown(mark.getName()), mark.getLine() + 1, word.group(1))
          + ": "
          + "routes have no "
          + word.group(1)
          + " here"
          + Suggestion.hint(word.group(1), words());
    }
    String context = problem.getContext() == null ? "" : problem.getContext() + " ";
    return place + context + problem.getProblem();
  }

  /** Every step, option and top-level entry that Camel's YAML has. */
  private static Collection<String> words() {
    try (InputStream in = YamlRoutesBuilderLoader.class.getResourceAsStream(SCHEMA)) {
      if (in == null) {
        return List.of();
      }
      Collection<String> words = new TreeSet<>();
      for (JsonNode properties : new ObjectMapper().readTree(in).findValues("properties")) {
        properties.fieldNames().forEachRemaining(words::add);
      }
      return words;
    } catch (IOException e) {
      // Only what was probably meant is not said then.
      return List.of();
    }
  }
}
