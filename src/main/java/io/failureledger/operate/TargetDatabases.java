package io.failureledger.operate;

import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.Statement;
import io.failureledger.targets.shop.databases.Credential;
import io.failureledger.targets.shop.databases.TargetDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * The database of each organization and how to sign in there: the records {@code target_database}
 * and {@code target_credential}. A change is in the ledger when the call returns, with who made it.
 * Each instance obeys it within 60 s, and at once when its sign-in is refused.
 */
public final class TargetDatabases {
  private static final Statement<Adding, Id> ADD =
      Statement.of("target_database/add-target", Adding.class, Id.class);
  private static final Statement<Listing, Row> LIST =
      Statement.of("target_database/list-targets", Listing.class, Row.class);
  private static final Statement<Rotating, Username> ROTATE =
      Statement.of("target_database/rotate-credential", Rotating.class, Username.class);
  private static final Statement<Removing, Gone> REMOVE =
      Statement.of("target_database/remove-target", Removing.class, Gone.class);

  private final Ledger ledger;

  public TargetDatabases(Ledger ledger) {
    this.ledger = ledger;
  }

  private record Adding(
      String organizationId,
      String jdbcUrl,
      String username,
      String password,
      String reference,
      String by,
      String reason) {}

  private record Id(long id) {}

  private record Listing(String organizationId) {}

  private record Row(
      long id,
      String organizationId,
      String jdbcUrl,
      String username,
      String password,
      String reference,
      long shops) {}

  private record Rotating(
      String organizationId,
      String username,
      String password,
      String reference,
      String by,
      String reason) {}

  private record Username(String username) {}

  private record Removing(String organizationId, String by, String reason) {}

  private record Gone(String organizationId) {}

  /**
   * One target, without its password.
   *
   * @param username null without a credential
   * @param credential {@code env:NAME}, {@code file:PATH} or {@code stored}; null without one
   * @param shops that are connected to the organization
   */
  public record Shown(
      String organizationId, String jdbcUrl, String username, String credential, long shops) {}

  /**
   * Adds the target of an organization.
   *
   * @return what came of it, in a sentence
   * @throws ConflictException when the organization has one
   * @throws SQLException when the ledger did not answer
   */
  public String add(
      String organization,
      String jdbcUrl,
      String username,
      Credential credential,
      String by,
      String reason)
      throws SQLException {
    List<Id> made =
        ledger.run(
            ADD,
            new Adding(
                organization,
                jdbcUrl,
                username,
                credential.password(),
                credential.reference(),
                by,
                reason));
    if (made.isEmpty()) {
      throw new ConflictException(
          organization + " has a target already; rotate its credential, or remove it first.");
    }
    return "the target of " + organization + " is added";
  }

  /** All targets in the order of their organizations. */
  public List<Shown> list() throws SQLException {
    return ledger.run(LIST, new Listing(null)).stream()
        .map(
            row ->
                new Shown(
                    row.organizationId(),
                    row.jdbcUrl(),
                    row.username(),
                    row.username() == null ? null : credential(row).words(),
                    row.shops()))
        .toList();
  }

  /**
   * Gives the target another credential.
   *
   * @param username null keeps the one it has
   * @return what came of it, in a sentence
   * @throws NotFoundException when the organization has no target
   * @throws ConflictException when there is no user name to keep
   * @throws SQLException when the ledger did not answer
   */
  public String rotate(
      String organization, String username, Credential credential, String by, String reason)
      throws SQLException {
    if (username == null && row(organization).username() == null) {
      throw new ConflictException(
          "the target of " + organization + " has no user name yet; give one, with --user.");
    }
    List<Username> changed =
        ledger.run(
            ROTATE,
            new Rotating(
                organization, username, credential.password(), credential.reference(), by, reason));
    if (changed.isEmpty()) {
      throw unknown(organization);
    }
    return "the target of "
        + organization
        + " is signed in to as "
        + changed.get(0).username()
        + " with the new credential, within 60 s";
  }

  /**
   * Removes the records of a target. Its database stays as it is.
   *
   * @return what came of it, in a sentence
   * @throws NotFoundException when the organization has no target
   * @throws ConflictException when shops are connected to the organization
   * @throws SQLException when the ledger did not answer
   */
  public String remove(String organization, String by, String reason) throws SQLException {
    if (ledger.run(REMOVE, new Removing(organization, by, reason)).isEmpty()) {
      throw new ConflictException(
          organization
              + " has "
              + row(organization).shops()
              + " connected shops; disconnect them first, or their events are parked.");
    }
    return "the target of " + organization + " is removed; its database stays as it is";
  }

  /**
   * The target with the password that this process reads.
   *
   * @throws NotFoundException when the organization has no target or no credential
   * @throws IOException when the credential's place cannot be read
   * @throws SQLException when the ledger did not answer
   */
  public TargetDatabase get(String organization) throws SQLException, IOException {
    Row row = row(organization);
    if (row.username() == null) {
      throw new NotFoundException(
          "the target of " + organization + " has no credential; give one, with target rotate.");
    }
    return new TargetDatabase(
        row.id(), organization, row.jdbcUrl(), row.username(), credential(row).read());
  }

  private static Credential credential(Row row) {
    return new Credential(row.reference(), row.password());
  }

  private Row row(String organization) throws SQLException {
    List<Row> found = ledger.run(LIST, new Listing(organization));
    if (found.isEmpty()) {
      throw unknown(organization);
    }
    return found.get(0);
  }

  private static NotFoundException unknown(String organization) {
    return new NotFoundException(organization + " has no target; see target list.");
  }
}
