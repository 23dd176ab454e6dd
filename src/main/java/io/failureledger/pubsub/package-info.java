/** What is special to Pub/Sub. Nothing else imports Google's client. */
package io.failureledger.pubsub;
