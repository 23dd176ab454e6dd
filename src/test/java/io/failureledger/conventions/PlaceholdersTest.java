package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.failureledger.settings.Catalogue;
import io.failureledger.settings.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Keys in routes and kamelets are documented in application.properties, and none is there in vain.
 */
class PlaceholdersTest {
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{\\{\\??([A-Za-z0-9][A-Za-z0-9._-]*)(?::[^}]*)?}}");

  static Set<String> placeholders(String text) {
    Set<String> keys = new TreeSet<>();
    Matcher found = PLACEHOLDER.matcher(text);
    while (found.find()) {
      keys.add(found.group(1));
    }
    return keys;
  }

  private static List<String> undocumented(RouteFile file, Set<String> documented) {
    Set<String> known = new HashSet<>(documented);
    file.yaml().findValues("parameters").stream()
        .filter(JsonNode::isArray)
        .forEach(all -> all.forEach(parameter -> known.add(parameter.path("name").asText())));
    file.yaml().at("/spec/definition/properties").fieldNames().forEachRemaining(known::add);
    return placeholders(file.text()).stream()
        .filter(key -> !known.contains(key))
        .map(key -> file.path() + " uses {{" + key + "}}, which nothing documents")
        .toList();
  }

  /** A key is documented when a comment stands above it, without a blank line in between. */
  private static Set<String> documented(String properties) {
    Set<String> documented = new TreeSet<>();
    for (String paragraph : properties.split("\n\\s*\n", -1)) {
      if (paragraph.startsWith("# ")) {
        paragraph
            .lines()
            .filter(line -> !line.startsWith("#") && line.contains("="))
            .forEach(line -> documented.add(line.substring(0, line.indexOf('='))));
      }
    }
    return documented;
  }

  private static List<String> unused(Set<String> keys, Set<String> inRoutes, String java) {
    Set<String> catalogue = Catalogue.all().stream().map(Setting::key).collect(Collectors.toSet());
    List<String> problems = new ArrayList<>();
    for (String key : keys) {
      String quality = key.replaceFirst("policy\\.[^.]+\\.", "");
      boolean used =
          inRoutes.contains(key)
              || java.contains("\"" + key + "\"")
              || (key.startsWith("policy.") && java.contains("key + \"" + quality + "\""));
      if (!used || !catalogue.contains(key)) {
        problems.add(key + " is documented and used by nobody");
      }
    }
    return problems;
  }

  private static Set<String> keysOfRoutes() {
    return RouteFile.all().stream()
        .flatMap(file -> placeholders(file.text()).stream())
        .collect(Collectors.toSet());
  }

  @Test
  void everyKeyThatARouteOrAKameletUsesIsDocumented() {
    Set<String> documented = documented(Sources.text("application.properties"));
    assertThat(RouteFile.all()).flatExtracting(file -> undocumented(file, documented)).isEmpty();
  }

  @Test
  void everyDocumentedKeyIsKnownToTheCatalogueAndUsed() {
    Set<String> documented = documented(Sources.text("application.properties"));
    String java = Sources.mainOutside("settings");
    assertThat(documented).hasSizeGreaterThan(50);
    assertThat(unused(documented, keysOfRoutes(), java)).isEmpty();
  }

  @Test
  void aKeyThatNothingDocumentsIsRefused() {
    RouteFile file =
        RouteFile.of("routes/a.camel.yaml", "- route: {from: {uri: 'timer:a?period={{a.b}}'}}");
    assertThat(undocumented(file, Set.of())).hasSize(1);
    assertThat(undocumented(file, Set.of("a.b"))).isEmpty();
  }

  @Test
  void aKeyWithoutACommentIsNotDocumented() {
    assertThat(documented("# The a.\na.b=1\n\nc.d=2\n")).containsExactly("a.b");
  }

  @Test
  void aDocumentedKeyThatNobodyUsesIsRefused() {
    assertThat(unused(Set.of("ledger.url"), Set.of(), "")).hasSize(1);
    assertThat(unused(Set.of("ledger.url"), Set.of("ledger.url"), "")).isEmpty();
    assertThat(unused(Set.of("not.in.the.catalogue"), Set.of("not.in.the.catalogue"), ""))
        .hasSize(1);
  }
}
