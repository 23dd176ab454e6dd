package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A file can be read in one go. */
class FileSizeTest {
  private static final int JAVA_MAX = 500;
  private static final int ROUTE_MAX = 130;

  private static Map<String, Integer> lines(Map<String, String> files) {
    Map<String, Integer> lines = new TreeMap<>();
    files.forEach((path, text) -> lines.put(path, (int) text.lines().count()));
    return lines;
  }

  private static Map<String, Integer> longerThan(int max, Map<String, Integer> lines) {
    Map<String, Integer> longer = new TreeMap<>(lines);
    longer.values().removeIf(count -> count <= max);
    return longer;
  }

  @Test
  void noJavaFileIsLong() {
    for (String directory : List.of(Sources.MAIN, Sources.TEST)) {
      assertThat(longerThan(JAVA_MAX, lines(Sources.below(".java", directory)))).isEmpty();
    }
  }

  @Test
  void noRouteFileIsLong() {
    Map<String, Integer> lines = lines(Sources.below(".yaml", "routes", "kamelets"));
    assertThat(lines).isNotEmpty();
    assertThat(longerThan(ROUTE_MAX, lines)).isEmpty();
  }

  @Test
  void aFileThatIsTooLongIsFound() {
    Map<String, Integer> lines = lines(Map.of("a", "x\n".repeat(131), "b", "x\n".repeat(130)));
    assertThat(longerThan(ROUTE_MAX, lines)).containsOnlyKeys("a");
  }
}
