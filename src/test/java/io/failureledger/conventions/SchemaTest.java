package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Route files are canonical YAML, as Camel's own schema says. */
class SchemaTest {
  private static final JsonSchema CANONICAL = load();

  private static JsonSchema load() {
    InputStream schema =
        SchemaTest.class.getResourceAsStream("/schema/camelYamlDsl-canonical.json");
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4).getSchema(schema);
  }

  private static List<String> problems(RouteFile file) {
    return CANONICAL.validate(file.yaml()).stream()
        .map(ValidationMessage::getMessage)
        .map(message -> file.path() + ": " + message)
        .toList();
  }

  @Test
  void everyRouteFileIsCanonical() {
    assertThat(RouteFile.routes()).isNotEmpty();
    assertThat(RouteFile.routes()).flatExtracting(SchemaTest::problems).isEmpty();
  }

  @Test
  void aMisspeltOptionIsRefused() {
    assertThat(problems(route("steps: [{to: {uri: direct:b, parametres: {}}}]"))).isNotEmpty();
  }

  @Test
  void shorthandIsRefused() {
    assertThat(problems(route("steps: [{to: direct:b}]"))).isNotEmpty();
    assertThat(problems(route("steps: [{setBody: {simple: hello}}]"))).isNotEmpty();
  }

  @Test
  void anUnknownStepIsRefused() {
    assertThat(problems(route("steps: [{park: {uri: direct:b}}]"))).isNotEmpty();
  }

  private static RouteFile route(String steps) {
    return RouteFile.of(
        "routes/bad.camel.yaml", "- route: {id: a, from: {uri: direct:a, " + steps + "}}");
  }
}
