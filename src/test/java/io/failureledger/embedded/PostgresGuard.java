package io.failureledger.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends a Postgres server when this process dies, however it dies. A shell waits on a pipe from this
 * process; the system closes the pipe when the process is gone, and the shell then kills the pid
 * that the server wrote. Where there is no {@code /bin/sh} nothing guards, and the next start
 * cleans up.
 */
final class PostgresGuard implements AutoCloseable {

  private static final Path SHELL = Path.of("/bin/sh");

  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      read -r end_of_parent
      pid=$(head -n 1 "$1" 2>/dev/null) && [ "$pid" = "$2" ] && kill -QUIT "$pid"
      """;

  private final Process shell;

  private PostgresGuard(Process shell) {
    this.shell = shell;
  }

  static PostgresGuard watch(Path dataDirectory) throws IOException {
    if (!Files.isExecutable(SHELL)) {
      return new PostgresGuard(null);
    }
    String pid = Files.readAllLines(PostgresProcess.pidFile(dataDirectory)).get(0).trim();
    String pidFile = PostgresProcess.pidFile(dataDirectory).toString();
    return new PostgresGuard(
        new ProcessBuilder(SHELL.toString(), "-c", SCRIPT, "postgres-guard", pidFile, pid)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Ends the guard and leaves the server alone. */
  @Override
  public void close() {
    if (shell != null) {
      shell.destroyForcibly();
    }
  }
}
