/**
 * The command line. A command reads its arguments, calls one class and prints its answer. No rule
 * about events lives here.
 */
package io.failureledger.cli;
