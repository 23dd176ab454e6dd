/** The engine: claims due rows, runs them through their handlers, settles what came of it. */
package io.failureledger.replay;
