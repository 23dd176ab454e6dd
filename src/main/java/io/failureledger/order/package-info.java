/** The order of a subject's events in feeds with {@code order=subject}. */
package io.failureledger.order;
