/**
 * What an operator may look at and change. Commands call it. It knows nothing of how they print.
 */
package io.failureledger.operate;
