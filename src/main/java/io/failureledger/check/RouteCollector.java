package io.failureledger.check;

import io.failureledger.feeds.RouteRefusedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.main.DefaultRoutesCollector;

/**
 * Finds the route files as Camel does, refuses those that Camel would pass by without a word, and
 * lets {@link DeclaredRoutes} look at the others before templates are made routes.
 */
public final class RouteCollector extends DefaultRoutesCollector {
  private static final Pattern ROUTES =
      Pattern.compile("(?m)^\\s*(- )?(route|routeTemplate|templatedRoute|routeConfiguration):");

  private final RouteFiles files;

  /** Below this home. */
  public RouteCollector(Path home) {
    files = new RouteFiles(home);
  }

  /**
   * What the files declare.
   *
   * @throws RouteRefusedException naming a file that would not be read
   */
  @Override
  public Collection<RoutesBuilder> collectRoutesFromDirectory(
      CamelContext context, String excludePattern, String includePattern) {
    files.below("routes").forEach(this::refuseUnread);
    List<RoutesBuilder> builders =
        new ArrayList<>(super.collectRoutesFromDirectory(context, excludePattern, includePattern));
    List<RouteBuilder> declared =
        builders.stream()
            .filter(RouteBuilder.class::isInstance)
            .map(RouteBuilder.class::cast)
            .toList();
    builders.add(new DeclaredRoutes(declared, files));
    return builders;
  }

  private void refuseUnread(Path file) {
    String name = file.getFileName().toString();
    if (name.matches("(?i).*\\.ya?ml")
        && !name.endsWith(".camel.yaml")
        && ROUTES.matcher(new String(RouteFiles.bytes(file), StandardCharsets.UTF_8)).find()) {
      throw new RouteRefusedException(
          files.shown(file.toString())
              + " would not be read; a file of routes has a name that ends in .camel.yaml");
    }
  }
}
