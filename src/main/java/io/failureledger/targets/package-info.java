/** What the shipped targets share: JSON bodies, source times, and descriptions in YAML. */
package io.failureledger.targets;
