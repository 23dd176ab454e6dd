/** What is special to Kafka. Nothing else imports Kafka's client. */
package io.failureledger.kafka;
