package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.settings.Catalogue;
import io.failureledger.settings.Setting;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** application.properties is the settings' documentation: complete, and true. */
class SettingsDocumentedTest {

  private static final Path FILE = Path.of("application.properties");

  @Test
  void everySettingStandsInTheFileWithItsDefaultAndNothingElseDoes() throws IOException {
    Properties written = new Properties();
    try (Reader reader = Files.newBufferedReader(FILE)) {
      written.load(reader);
    }
    Map<String, String> defaults =
        Catalogue.all().stream().collect(Collectors.toMap(Setting::key, Setting::defaultValue));
    assertThat(written).containsExactlyInAnyOrderEntriesOf(defaults);
  }

  @Test
  void everySettingHasAMeaning() {
    assertThat(Catalogue.all()).allSatisfy(setting -> assertThat(setting.meaning()).isNotBlank());
  }

  @Test
  void everyRangeIsWrittenAboveItsSetting() throws IOException {
    List<String> lines = Files.readAllLines(FILE);
    String text = String.join("\n", lines);
    for (Setting setting : Catalogue.all()) {
      if (setting.max() == null || setting.key().startsWith("policy.")) {
        continue;
      }
      String comment = commentAbove(lines, setting.key());
      assertThat(comment).as(setting.key()).contains(setting.min() + " to " + setting.max());
    }
    assertThat(text).contains("1ms to 720h", "1 to 1000", "1 to 10");
  }

  /** The comment block above a key, shared by the keys that follow it without an empty line. */
  private static String commentAbove(List<String> lines, String key) {
    int at = 0;
    while (!lines.get(at).startsWith(key + "=")) {
      at++;
    }
    int from = at;
    while (from > 0 && !lines.get(from - 1).isBlank()) {
      from--;
    }
    return String.join("\n", lines.subList(from, at));
  }
}
