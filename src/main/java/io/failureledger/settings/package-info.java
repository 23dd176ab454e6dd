/** Settings, read and checked once at the start. Pure: no Camel, no database. */
package io.failureledger.settings;
