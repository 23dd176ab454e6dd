package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No secret is written into a route, a kamelet or the shipped settings. */
class SecretsTest {
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?i).*(password|passwd|secret|token|api-?key|private-?key|access-?key|jaas|passphrase).*");
  private static final Pattern SECRET_VALUE =
      Pattern.compile(
          "(?i)://[^/\\s:@{]+:[^/\\s@{]+@|-----BEGIN|RAW\\(|[?&;](password|secret|token)=[^{\\s]"
              + "|\\bbearer\\s+[a-z0-9._-]{8,}|\\bbasic\\s+[a-z0-9+/]{8,}=*");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{[^}]+}}");

  private static List<String> problems(RouteFile file) {
    List<String> problems = new ArrayList<>();
    if (SECRET_VALUE.matcher(file.text()).find()) {
      problems.add(file.path() + " holds what looks like a secret");
    }
    collect(file.path(), file.yaml(), problems);
    return problems;
  }

  private static void collect(String path, JsonNode node, List<String> problems) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      boolean secret = SECRET_NAME.matcher(field.getKey()).matches();
      if (secret && !PLACEHOLDER.matcher(field.getValue().asText()).matches()) {
        problems.add(path + " must take " + field.getKey() + " from a setting");
      }
      collect(path, field.getValue(), problems);
    }
    if (node.isArray()) {
      node.forEach(element -> collect(path, element, problems));
    }
  }

  private static List<String> problems(String properties) {
    return properties
        .lines()
        .filter(line -> !line.startsWith("#") && line.contains("="))
        .filter(SecretsTest::tells)
        .toList();
  }

  private static boolean tells(String line) {
    String key = line.substring(0, line.indexOf('='));
    String value = line.substring(line.indexOf('=') + 1).strip();
    return (SECRET_NAME.matcher(key).matches() && !value.isEmpty())
        || SECRET_VALUE.matcher(value).find();
  }

  @Test
  void noRouteAndNoKameletHoldsASecret() {
    assertThat(RouteFile.all()).flatExtracting(SecretsTest::problems).isEmpty();
  }

  @Test
  void theShippedSettingsHoldNoSecret() {
    assertThat(problems(Sources.text("application.properties"))).isEmpty();
  }

  @Test
  void aLiteralSecretInARouteIsRefused() {
    for (String parameter :
        List.of(
            "password: hunter2",
            "saslJaasConfig: 'x required;'",
            "url: 'http://me:hunter2@host/'",
            "authorization: 'Bearer abcdefgh12345'",
            "url: 'jdbc:postgresql://host/db?password=x'")) {
      assertThat(problems(route(parameter))).as(parameter).hasSize(1);
    }
  }

  @Test
  void aSecretFromASettingIsAllowed() {
    assertThat(problems(route("password: '{{ledger.password}}'"))).isEmpty();
  }

  @Test
  void aSecretAmongTheShippedSettingsIsRefused() {
    assertThat(problems("ledger.password=x\n")).hasSize(1);
    assertThat(problems("ledger.url=jdbc:postgresql://host/db?password=x\n")).hasSize(1);
    assertThat(problems("# ledger.password=x\nledger.password=\n")).isEmpty();
  }

  private static RouteFile route(String parameter) {
    return RouteFile.of(
        "routes/a.camel.yaml",
        "- route: {from: {uri: direct:a, steps: [{to: {uri: b, parameters: {%s}}}]}}"
            .formatted(parameter));
  }
}
