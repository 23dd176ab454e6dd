/** Health, metrics and the management port. It looks and tells; it changes nothing. */
package io.failureledger.observe;
