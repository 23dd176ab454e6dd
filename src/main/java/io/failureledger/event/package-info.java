/**
 * What an event is: its envelope, identity, headers and failure, and the names under which an
 * exchange carries them. Pure.
 */
package io.failureledger.event;
