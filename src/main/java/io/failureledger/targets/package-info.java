/** What the shipped targets share: JSON bodies and source times. */
package io.failureledger.targets;
