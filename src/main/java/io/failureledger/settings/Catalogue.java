package io.failureledger.settings;

import java.util.List;
import java.util.stream.Stream;

/**
 * Every setting of the bundle, in the order of an event's way. The one source of truth for kinds,
 * ranges and defaults; application.properties documents it and a test holds the two together.
 * Policies are a family of their own, see {@link PolicySettings}.
 */
public final class Catalogue {

  private static final List<Setting> SINGLE =
      Stream.of(EventSettings.SETTINGS, BreakerSettings.SETTINGS, LedgerSettings.SETTINGS)
          .flatMap(List::stream)
          .toList();

  private Catalogue() {}

  /** The settings that are no part of a family. */
  static List<Setting> single() {
    return SINGLE;
  }

  /** Every setting, those of the shipped policies included. */
  public static List<Setting> all() {
    return Stream.concat(
            SINGLE.stream(),
            PolicySettings.SHIPPED.stream().flatMap(name -> PolicySettings.of(name).stream()))
        .toList();
  }
}
