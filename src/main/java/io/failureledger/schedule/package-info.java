/**
 * What comes round by itself: scheduled routes, and the threads that look after something each
 * period. A round that fails, whatever with, is never the last one. What a round does lives
 * elsewhere.
 */
package io.failureledger.schedule;
