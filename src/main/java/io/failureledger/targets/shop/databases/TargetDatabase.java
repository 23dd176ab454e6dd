package io.failureledger.targets.shop.databases;

/**
 * One organization's database and how to sign in. Two that differ in any part are two pools.
 *
 * @param id of its record in {@code target_database}
 */
public record TargetDatabase(
    long id, String organizationId, String jdbcUrl, String username, String password) {

  /** Without the password, and without the URL's parameters, which may carry one. */
  @Override
  public String toString() {
    return "target database "
        + id
        + " of organization "
        + organizationId
        + " ("
        + jdbcUrl.replaceFirst("\\?.*", "")
        + ")";
  }
}
