package io.failureledger.check;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.InvalidSettingsException;
import io.failureledger.settings.Settings;
import io.failureledger.settings.Suggestion;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.FailedToCreateRouteException;
import org.apache.camel.FailedToCreateRouteFromTemplateException;
import org.apache.camel.FailedToStartRouteException;
import org.apache.camel.NoSuchBeanException;
import org.apache.camel.ResolveEndpointFailedException;
import org.apache.camel.spi.EndpointUriFactory;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * Says what Camel throws while it reads and makes routes in a sentence, with the place in a file.
 */
public final class StartProblem {
  private static final Pattern PROPERTY =
      Pattern.compile("Property with key \\[([^\\]]+)] not found");
  private static final Pattern KAMELET =
      Pattern.compile("not found: .*?([\\w.-]+)\\.kamelet\\.yaml");
  private static final Pattern DUPLICATE =
      Pattern.compile("Duplicate (?:route )?ids? detected: (\\S+?)[.,]?(?:\\s|$)");
  private static final Pattern SCHEME =
      Pattern.compile(
          "No (?:component found with scheme|endpoint could be found for): ([\\w+.-]+)");
  private static final Pattern OPTIONS = Pattern.compile("Unknown parameters=\\[\\{([^=]+)=");
  private static final Pattern COMPILER = Pattern.compile("(\\w+)\\.java:(\\d+): error: (.*)");
  private static final Pattern EMPTY =
      Pattern.compile("(?:Unable to parse resource|Resource is empty): (.+)");
  private static final Pattern MISSING =
      Pattern.compile("template (\\S+) the following mandatory parameters must be provided: (.*)");
  private static final int DEEPEST = 30;

  private final CamelContext context;
  private final Settings settings;
  private final RouteFiles files;

  /** For routes of this context, which may be half started. */
  public StartProblem(CamelContext context, Settings settings) {
    this.context = context;
    this.settings = settings;
    this.files = new RouteFiles(settings.home());
  }

  /** What to throw instead: settings that are refused as they are, all else as a refused route. */
  public RuntimeException of(Throwable thrown) {
    List<Throwable> chain = chain(thrown);
    for (Throwable t : chain) {
      if (t instanceof InvalidSettingsException refused) {
        return refused;
      }
    }
    String route =
        chain.stream().map(StartProblem::routeId).filter(Objects::nonNull).findFirst().orElse(null);
    for (int i = chain.size() - 1; i >= 0; i--) {
      Optional<String> known = known(chain.get(i), route);
      if (known.isPresent()) {
        return new RouteRefusedException(known.get(), thrown);
      }
    }
    Optional<RouteRefusedException> refused =
        chain.stream()
            .filter(RouteRefusedException.class::isInstance)
            .map(RouteRefusedException.class::cast)
            .findFirst();
    if (refused.isPresent()) {
      return new RouteRefusedException(placed(refused.get()), thrown);
    }
    return new RouteRefusedException(
        (route == null ? inJava(chain) : at(route, route)) + firstLine(chain.get(chain.size() - 1)),
        thrown);
  }

  private String placed(RouteRefusedException refused) {
    String places =
        String.join(
            " and ",
            refused.about().stream()
                .flatMap(
                    id ->
                        Stream.concat(files.ids(id).stream(), files.of(null, id).stream()).limit(1))
                .map(RouteFiles.Place::toString)
                .distinct()
                .toList());
    return places.isEmpty() ? refused.getMessage() : places + ": " + refused.getMessage();
  }

  private Optional<String> known(Throwable t, String route) {
    if (t instanceof MarkedYamlEngineException yaml && yaml.getProblemMark().isPresent()) {
      return Optional.of(YamlProblem.of(yaml, files));
    }
    if (t instanceof NoSuchBeanException bean && bean.getName() != null) {
      return Optional.of(
          at(route, bean.getName())
              + "no bean is called "
              + bean.getName()
              + Suggestion.hint(
                  bean.getName(), context.getRegistry().findByTypeWithName(Object.class).keySet()));
    }
    String said = String.valueOf(t.getMessage());
    return property(said)
        .or(() -> component(said, route))
        .or(() -> option(t, said, route))
        .or(() -> kamelet(said, route))
        .or(
            () ->
                first(DUPLICATE, said)
                    .map(id -> DeclaredRoutes.duplicate("step", id.group(1), files).getMessage()))
        .or(() -> compiler(said))
        .or(
            () ->
                first(EMPTY, said)
                    .map(
                        file ->
                            files.shown(file.group(1))
                                + " is empty; a file of routes is a list of them"))
        .or(() -> missing(said));
  }

  private Optional<String> property(String said) {
    return first(PROPERTY, said)
        .map(
            key ->
                files.placeholder(key.group(1)).map(place -> place + ": ").orElse("")
                    + "no setting is called "
                    + key.group(1)
                    + Suggestion.hint(key.group(1), settings.asProperties().stringPropertyNames())
                    + "; a key of your own goes to application.properties");
  }

  private Optional<String> component(String said, String route) {
    return first(SCHEME, said)
        .map(
            scheme ->
                at(route, scheme.group(1))
                    + "no component is called "
                    + scheme.group(1)
                    + Suggestion.hint(scheme.group(1), components()));
  }

  private Optional<String> option(Throwable t, String said, String route) {
    if (!(t instanceof ResolveEndpointFailedException endpoint) || endpoint.getUri() == null) {
      return Optional.empty();
    }
    String scheme = endpoint.getUri().replaceFirst(":.*", "");
    return first(OPTIONS, said)
        .map(
            option ->
                at(route, option.group(1))
                    + "the component "
                    + scheme
                    + " has no option "
                    + option.group(1)
                    + Suggestion.hint(option.group(1), options(scheme)));
  }

  private Optional<String> kamelet(String said, String route) {
    return first(KAMELET, said)
        .map(
            name ->
                at(route, name.group(1))
                    + "no kamelet is called "
                    + name.group(1)
                    + Suggestion.hint(
                        name.group(1),
                        files.below("kamelets").stream()
                            .map(file -> file.getFileName().toString().replace(".kamelet.yaml", ""))
                            .toList()));
  }

  /** Of a kamelet; those of the templates of routes are looked at before. */
  private Optional<String> missing(String said) {
    return first(MISSING, said).map(this::nameOrMissing);
  }

  /** A name that is wrong leaves another one missing: that is what was meant. */
  private String nameOrMissing(Matcher found) {
    try {
      new KameletProperties(context, settings.home()).check();
    } catch (RouteRefusedException unknown) {
      return unknown.getMessage();
    }
    return at(null, found.group(1))
        + "the property "
        + found.group(2)
        + " of "
        + found.group(1)
        + " is missing";
  }

  private Optional<String> compiler(String said) {
    return first(COMPILER, said)
        .map(
            error ->
                files.below("routes").stream()
                        .filter(file -> file.endsWith(error.group(1) + ".java"))
                        .findFirst()
                        .map(file -> files.shown(file.toString()))
                        .orElse(error.group(1) + ".java")
                    + ", line "
                    + error.group(2)
                    + ": does not compile: "
                    + error.group(3).strip());
  }

  /** The place and the route, as far as they are known, to begin a sentence with. */
  private String at(String route, String name) {
    String place = name == null ? "" : files.of(route, name).map(found -> found + ": ").orElse("");
    return place + (route == null ? "" : "the route " + route + ": ");
  }

  private Collection<String> options(String scheme) {
    EndpointUriFactory factory = context.getCamelContextExtension().getEndpointUriFactory(scheme);
    return factory == null ? List.of() : factory.propertyNames();
  }

  /** Of every jar, as each names its own. */
  private static Collection<String> components() {
    Collection<String> names = new TreeSet<>();
    try {
      for (URL jar :
          Collections.list(
              StartProblem.class
                  .getClassLoader()
                  .getResources("META-INF/services/org/apache/camel/component.properties"))) {
        Properties own = new Properties();
        try (var in = jar.openStream()) {
          own.load(in);
        }
        names.addAll(Arrays.asList(own.getProperty("components", "").split("\\s+")));
      }
    } catch (IOException e) {
      // Only what was probably meant is not said then.
      return List.of();
    }
    names.remove("");
    return names;
  }

  /** Where in a Java file it was thrown. */
  private String inJava(List<Throwable> chain) {
    for (Throwable t : chain) {
      for (StackTraceElement frame : t.getStackTrace()) {
        for (Path file : files.below("routes")) {
          if (file.getFileName().toString().equals(frame.getFileName())) {
            return new RouteFiles.Place(files.shown(file.toString()), frame.getLineNumber()) + ": ";
          }
        }
      }
    }
    return "";
  }

  private static String routeId(Throwable t) {
    if (t instanceof FailedToCreateRouteException failed) {
      return failed.getRouteId();
    }
    if (t instanceof FailedToCreateRouteFromTemplateException failed) {
      return failed.getRouteId();
    }
    return t instanceof FailedToStartRouteException failed ? failed.getRouteId() : null;
  }

  private static Optional<Matcher> first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? Optional.of(found) : Optional.empty();
  }

  private static String firstLine(Throwable t) {
    String said = t.getMessage() == null ? t.getClass().getName() : t.getMessage();
    return said.lines().findFirst().orElse(said);
  }

  /** Outermost first. */
  private static List<Throwable> chain(Throwable thrown) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable t = thrown; t != null && chain.size() < DEEPEST; t = t.getCause()) {
      chain.add(t);
    }
    return chain;
  }
}
