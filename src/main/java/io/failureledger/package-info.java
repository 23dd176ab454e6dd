/**
 * The bundle and its wiring. {@code Bundle} makes a Camel main out of settings and route files. No
 * rule about events lives here.
 */
package io.failureledger;
