package io.failureledger.scenario;

import io.failureledger.cli.App;
import io.failureledger.embedded.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A person at the command line of a site, in a home of the same feeds. The test's handler is not
 * there: what the person replays succeeds.
 */
final class Operator implements AutoCloseable {
  private final Path home;
  private final Path settings;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  Operator(Site site, String feed) {
    home = Home.with(feed);
    settings = home.resolve("operator.properties");
    Path file = home.resolve("routes/feeds/" + feed + ".camel.yaml");
    try (Writer own = Files.newBufferedWriter(settings, StandardCharsets.UTF_8)) {
      site.properties().store(own, null);
      String routes = Files.readString(file);
      Files.writeString(
          file,
          routes.replaceAll("process:(\\s+id: \\S+\\s+)ref: probe\n", "log:$1message: replayed\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end and gives back its exit code. */
  int says(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(List.of("--config", settings.toString()));
    System.setProperty("failureledger.home", home.toString());
    try {
      return App.commandLine()
          .setOut(new PrintWriter(out))
          .setErr(new PrintWriter(err))
          .execute(command.toArray(String[]::new));
    } finally {
      System.clearProperty("failureledger.home");
    }
  }

  /** What the last command answered. */
  String heard() {
    return out.toString() + err;
  }

  @Override
  public void close() {
    Home.delete(home);
  }
}
