/** From dead-letter records to users, and from users to requests at the backfill endpoint. */
package io.failureledger.backfill;
