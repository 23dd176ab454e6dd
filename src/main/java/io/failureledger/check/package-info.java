/**
 * Refuses routes that would not do what was meant, before anything is connected to, and says in
 * which file and line, and what was probably meant. Nothing here lasts beyond the start.
 */
package io.failureledger.check;
