package io.failureledger.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The text of the files under routes/ and kamelets/, YAML and Java alike: says where a name stands.
 * Reads them anew each time, since it is asked only when something is refused.
 */
final class RouteFiles {
  private static final List<String> DIRECTORIES = List.of("routes", "kamelets");
  private static final Pattern SAYS_NOTHING =
      Pattern.compile("\\s*(#|//|\\*|/\\*|description:).*", Pattern.DOTALL);

  private final Path home;

  RouteFiles(Path home) {
    this.home = home.toAbsolutePath().normalize();
  }

  /** A line of a file; reads as {@code routes/feeds/a.camel.yaml, line 3}. */
  record Place(String file, int line) {
    @Override
    public String toString() {
      return line > 0 ? file + ", line " + line : file;
    }
  }

  /** All files below a directory of the home, in a fixed order. */
  List<Path> below(String directory) {
    Path top = home.resolve(directory);
    if (!Files.isDirectory(top)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(top)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + top, e);
    }
  }

  /** As an engineer calls the file: relative to the home. Takes Camel's locations too. */
  String shown(String location) {
    String plain = location.replaceFirst("^file:(//(?=/))?", "");
    Path path = Path.of(plain);
    return path.startsWith(home) ? home.relativize(path).toString() : plain;
  }

  /** Where routes, templates or steps get this id. */
  List<Place> ids(String id) {
    return find("(?i:\\bid|routeId|routeConfiguration|routeTemplate)\\W{1,4}", id).toList();
  }

  /** Where the name stands: in the part of a file that begins with the id, else anywhere. */
  Optional<Place> of(String id, String name) {
    List<Place> all = find("", name).toList();
    Optional<Place> owner = id == null ? Optional.empty() : ids(id).stream().findFirst();
    return owner
        .flatMap(
            o ->
                all.stream()
                    .filter(p -> p.file().equals(o.file()) && p.line() >= o.line())
                    .findFirst())
        .or(
            () ->
                owner.flatMap(o -> all.stream().filter(p -> p.file().equals(o.file())).findFirst()))
        .or(() -> all.stream().findFirst());
  }

  /** The same in a file, from a line on; that line where it is not found. */
  Place from(String file, int line, String name) {
    return find("", name)
        .filter(place -> place.file().equals(file) && place.line() >= line)
        .findFirst()
        .orElse(new Place(file, line));
  }

  /** Where {@code {{key}}} stands. */
  Optional<Place> placeholder(String key) {
    return find("\\{\\{\\??", key).findFirst();
  }

  private Stream<Place> find(String before, String name) {
    Pattern pattern =
        Pattern.compile(before + "(?<![\\w.-])" + Pattern.quote(name) + "(?![\\w-]|\\.\\w)");
    return DIRECTORIES.stream()
        .flatMap(directory -> below(directory).stream())
        .flatMap(file -> find(pattern, file));
  }

  private Stream<Place> find(Pattern pattern, Path file) {
    List<String> lines = new String(bytes(file), StandardCharsets.UTF_8).lines().toList();
    return IntStream.range(0, lines.size())
        .filter(
            i ->
                !SAYS_NOTHING.matcher(lines.get(i)).matches()
                    && pattern.matcher(lines.get(i)).find())
        .mapToObj(i -> new Place(shown(file.toString()), i + 1));
  }

  static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
