package io.failureledger.ledger;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The statements whose values a record holds: {@code @ValuesOf("backfill_user/claim-users")}. A
 * route gives such a record to the kamelet {@code ledger-statement-action}. A test holds that each
 * statement that a route names has one, with a component for each name that the statement takes.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ValuesOf {
  /** Table and name of each statement file, without ending. */
  String[] value();
}
