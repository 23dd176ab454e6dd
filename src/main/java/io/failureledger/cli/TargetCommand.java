package io.failureledger.cli;

import io.failureledger.operate.TargetDatabases;
import io.failureledger.settings.Masking;
import io.failureledger.targets.shop.databases.Credential;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What a person may do with the databases that shops' events go to. A password is never an
 * argument, and never shown. A repeat changes nothing, or says what stands against it.
 */
@Command(
    name = "target",
    description = "Adds, lists, tests, rotates and removes the databases of organizations.",
    subcommands = {
      TargetCommand.Add.class,
      TargetCommand.ListAll.class,
      TargetTestCommand.class,
      TargetCommand.Rotate.class,
      TargetCommand.Remove.class
    })
public final class TargetCommand implements Runnable {
  @Mixin private CommonOptions options;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command given: target add, target list, target test, target rotate or target remove");
  }

  /** How to sign in to a target. */
  static final class SignIn {
    private static final int MAX_PASSWORD = 1000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private String place;

    @Option(
        names = "--credential",
        paramLabel = "PLACE",
        required = true,
        description = {
          "Where the password is: env:NAME, file:/PATH, or stdin.",
          "Each instance reads env: and file: for itself. What comes by stdin is kept in the ledger's database."
        })
    void setPlace(String text) {
      place = text;
      if (!text.equals("stdin")) {
        credential(text);
      }
    }

    private Credential credential(String reference) {
      try {
        return Credential.in(reference);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(
            spec.commandLine(),
            "the value of --credential is not allowed, and not shown, because it may be a password; "
                + e.getMessage()
                + ", or stdin");
      }
    }

    /** Reads the password from stdin when that is its place. */
    Credential read(InputStream stdin) throws IOException {
      if (!place.equals("stdin")) {
        return credential(place);
      }
      String password =
          new String(stdin.readNBytes(MAX_PASSWORD + 2), StandardCharsets.UTF_8)
              .replaceFirst("\\R\\z", "");
      if (password.isEmpty()
          || password.length() > MAX_PASSWORD
          || password.contains("\n")
          || password.indexOf(0) >= 0) {
        throw new ParameterException(
            spec.commandLine(),
            "stdin gives no password; it must be one line of 1 to 1000 characters");
      }
      return Credential.stored(password);
    }
  }

  /** What changes one target. */
  abstract static class ChangeOne implements Callable<Integer> {
    @Mixin CommonOptions options;
    @Mixin Change change;
    @Spec CommandSpec spec;

    @Parameters(
        index = "0",
        paramLabel = "ORGANIZATION",
        description = "The organization whose database it is.")
    String organization;

    abstract String change(TargetDatabases targets) throws Exception;

    @Override
    public Integer call() throws Exception {
      return LedgerStart.with(
          options,
          ledger -> {
            spec.commandLine().getOut().println(change(new TargetDatabases(ledger)));
            spec.commandLine().getOut().flush();
            return ExitCodes.OK;
          });
    }
  }

  @Command(
      name = "add",
      description = {
        "Adds the database of an organization. Its tables are made by the first events.",
        "Example: target add acme --url jdbc:postgresql://db:5432/acme --user acme --credential env:ACME_PASSWORD"
      })
  static final class Add extends ChangeOne {
    @Mixin private SignIn signIn;
    private String url;

    @Option(
        names = "--user",
        paramLabel = "NAME",
        required = true,
        description = "The user at the database.")
    private String user;

    @Option(
        names = "--url",
        paramLabel = "URL",
        required = true,
        description = "jdbc:postgresql://host:port/database, without user and password.")
    void setUrl(String text) {
      boolean secret =
          text.matches("(?i)[^?]*@.*") || text.matches("(?i).*[?&](user|password|sslpassword)=.*");
      if (!text.startsWith("jdbc:postgresql:") || secret) {
        throw new ParameterException(
            spec.commandLine(),
            "--url="
                + Masking.inUrls(text)
                + " is not allowed; it must be jdbc:postgresql://host:port/database, without user and password");
      }
      url = text;
    }

    @Override
    String change(TargetDatabases targets) throws Exception {
      return targets.add(
          organization, url, user, signIn.read(System.in), change.by(), change.reason());
    }
  }

  @Command(
      name = "rotate",
      description = "Gives the database of an organization another credential, in place.")
  static final class Rotate extends ChangeOne {
    @Mixin private SignIn signIn;

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "Another user; without it the user stays.")
    private String user;

    @Override
    String change(TargetDatabases targets) throws Exception {
      return targets.rotate(
          organization, user, signIn.read(System.in), change.by(), change.reason());
    }
  }

  @Command(
      name = "remove",
      description =
          "Forgets the database of an organization that no shop is connected to. The database itself stays as it is.")
  static final class Remove extends ChangeOne {
    @Override
    String change(TargetDatabases targets) throws Exception {
      return targets.remove(organization, change.by(), change.reason());
    }
  }

  /** Shows the databases of all organizations. Changes nothing, shows no password. */
  @Command(
      name = "list",
      description = "Shows each organization's database, its user, and where its password is.")
  static final class ListAll implements Callable<Integer> {
    @Mixin private CommonOptions options;
    @Mixin private Listing listing;
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
      List<TargetDatabases.Shown> targets =
          LedgerStart.with(options, ledger -> new TargetDatabases(ledger).list());
      PrintWriter out = spec.commandLine().getOut();
      if (listing.json()) {
        targets.forEach(target -> Listing.object(out, target));
      } else {
        Listing.table(
            out,
            List.of("ORGANIZATION", "SHOPS", "USER", "CREDENTIAL", "URL"),
            targets.stream()
                .map(
                    target ->
                        Arrays.asList(
                            target.organizationId(),
                            String.valueOf(target.shops()),
                            target.username(),
                            target.credential(),
                            target.jdbcUrl()))
                .toList());
      }
      out.flush();
      return ExitCodes.OK;
    }
  }
}
