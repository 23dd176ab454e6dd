package io.failureledger.scenario;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** A site's own user at the broker, who can be taken away and forbidden things. */
final class KafkaLogin implements AutoCloseable {
  private static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_256;
  private static final String PASSWORD = "secret";

  private final Admin admin =
      Admin.create(Map.of("bootstrap.servers", Servers.kafka().bootstrapServers()));
  private final String user;

  /** The site's bundle logs in as a user named as the site. */
  KafkaLogin(Site site) {
    user = site.name;
    create();
    site.set("kafka.brokers", Servers.kafka().scramBootstrapServers())
        .set("kafka.security.protocol", "SASL_PLAINTEXT")
        .set("kafka.sasl.mechanism", MECHANISM.mechanismName())
        .set(
            "kafka.sasl.jaas.config",
            "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                .formatted(user, PASSWORD));
  }

  void create() {
    alter(
        new UserScramCredentialUpsertion(user, new ScramCredentialInfo(MECHANISM, 4096), PASSWORD));
  }

  void delete() {
    alter(new UserScramCredentialDeletion(user, MECHANISM));
  }

  void forbidGroup(String group) {
    await(admin.createAcls(List.of(deny(group))).all());
  }

  void allowGroup(String group) {
    await(admin.deleteAcls(List.of(deny(group).toFilter())).all());
  }

  private AclBinding deny(String group) {
    return new AclBinding(
        new ResourcePattern(ResourceType.GROUP, group, PatternType.LITERAL),
        new AccessControlEntry("User:" + user, "*", AclOperation.READ, AclPermissionType.DENY));
  }

  private void alter(UserScramCredentialAlteration alteration) {
    await(admin.alterUserScramCredentials(List.of(alteration)).all());
  }

  private static <T> void await(KafkaFuture<T> done) {
    try {
      done.get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
