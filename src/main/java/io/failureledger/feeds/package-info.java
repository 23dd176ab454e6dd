/**
 * What a feed is, how it is read from the routes, and what a broker must provide. No broker is
 * named here.
 */
package io.failureledger.feeds;
