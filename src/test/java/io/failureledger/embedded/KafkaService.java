package io.failureledger.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.utils.Time;

/**
 * A real Kafka broker on localhost: one node, KRaft, its own controller. Topics are created by
 * name, never by use.
 *
 * <p>Acknowledged records and committed offsets are in the system's page cache: they survive a kill
 * of this process (not a power cut) and are there after a start on the same data directory. After a
 * kill a group's member is missed only when its session times out.
 */
public final class KafkaService implements AutoCloseable {

  private static final long CALL_SECONDS = 30;

  /** Fixed: a formatted directory refuses another one. */
  private static final String CLUSTER_ID = "RmFpbHVyZUxlZGdlckRldg";

  private final ServiceDirectory directory;
  private final KafkaRaftServer server;
  private final String bootstrapServers;
  private final String scramBootstrapServers;
  private final Admin admin;

  private KafkaService(
      ServiceDirectory directory, KafkaRaftServer server, int port, int scramPort) {
    this.directory = directory;
    this.server = server;
    this.bootstrapServers = "localhost:" + port;
    this.scramBootstrapServers = "localhost:" + scramPort;
    this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  /** Starts a broker, or starts it again on the log that it had; returns once it answers. */
  public static KafkaService start(ServiceOptions options) {
    ServiceDirectory directory = ServiceDirectory.open("kafka", options.dataDirectory());
    int port = options.portOrFree();
    int scramPort = FreePort.find();
    Properties settings = settings(directory.path().resolve("log"), port, scramPort);
    format(directory.path(), settings);
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    server.startup();
    KafkaService service = new KafkaService(directory, server, port, scramPort);
    await(service.admin.describeCluster().nodes());
    return service;
  }

  public String bootstrapServers() {
    return bootstrapServers;
  }

  /**
   * The same broker for users who log in by SCRAM-SHA-256; a session is logged in again every few
   * seconds, so that a user who is gone is noticed.
   */
  public String scramBootstrapServers() {
    return scramBootstrapServers;
  }

  /** Creates the topic unless it is there already, as it is after a restart. */
  public void createTopic(String name, int partitions) {
    createTopic(admin, name, partitions);
  }

  /** The same at a broker that another process holds. */
  public static void createTopic(String bootstrapServers, String name, int partitions) {
    try (Admin admin = admin(bootstrapServers)) {
      createTopic(admin, name, partitions);
    }
  }

  private static void createTopic(Admin admin, String name, int partitions) {
    NewTopic topic = new NewTopic(name, partitions, (short) 1);
    try {
      await(admin.createTopics(List.of(topic)).all());
    } catch (TopicExistsException e) {
      TopicDescription found = await(admin.describeTopics(List.of(name)).allTopicNames()).get(name);
      if (found.partitions().size() != partitions) {
        throw new IllegalStateException("topic has other partitions: " + found, e);
      }
    }
  }

  private static Admin admin(String bootstrapServers) {
    return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  /** Deletes the topic with its records; a missing topic is an error. */
  public void deleteTopic(String name) {
    await(admin.deleteTopics(List.of(name)).all());
  }

  /**
   * Removes all consumers from the group, as the broker does by itself 45 s after one was killed;
   * those that live join again. A group without members is left alone, and so is one that nobody
   * has joined yet.
   */
  public void evictMembers(String group) {
    if (hasMembers(group)) {
      await(
          admin
              .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
              .all());
    }
  }

  private boolean hasMembers(String group) {
    try {
      return !await(admin.describeConsumerGroups(List.of(group)).all())
          .get(group)
          .members()
          .isEmpty();
    } catch (GroupIdNotFoundException e) {
      return false;
    }
  }

  @Override
  public void close() {
    admin.close();
    server.shutdown();
    server.awaitShutdown();
    directory.close();
  }

  private static Properties settings(Path log, int port, int scramPort) {
    int controllerPort = FreePort.find();
    Properties settings = new Properties();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@localhost:" + controllerPort);
    settings.put("controller.listener.names", "CONTROLLER");
    String listeners = "PLAINTEXT://localhost:" + port + ",SCRAM://localhost:" + scramPort;
    settings.put("listeners", listeners + ",CONTROLLER://localhost:" + controllerPort);
    settings.put("advertised.listeners", listeners);
    settings.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SCRAM:SASL_PLAINTEXT");
    settings.put("listener.name.scram.sasl.enabled.mechanisms", "SCRAM-SHA-256");
    settings.put(
        "listener.name.scram.scram-sha-256.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    settings.put("connections.max.reauth.ms", "3000");
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put("allow.everyone.if.no.acl.found", "true");
    settings.put("super.users", "User:ANONYMOUS");
    settings.put("log.dirs", log.toString());
    settings.put("auto.create.topics.enable", "false");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "4");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "4");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    // A killed broker's registration holds up the next start until its session ends.
    settings.put("broker.session.timeout.ms", "4000");
    settings.put("broker.heartbeat.interval.ms", "500");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("log.cleaner.dedupe.buffer.size", String.valueOf(16 * 1024 * 1024));
    return settings;
  }

  private static void format(Path directory, Properties settings) {
    Path file = directory.resolve("server.properties");
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (Writer writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    String[] arguments = {
      "format", "--ignore-formatted", "--cluster-id", CLUSTER_ID, "--config", file.toString()
    };
    int code =
        StorageTool.execute(arguments, new PrintStream(output, true, StandardCharsets.UTF_8));
    if (code != 0) {
      throw new IllegalStateException("kafka format: " + output.toString(StandardCharsets.UTF_8));
    }
  }

  private static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get(CALL_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("kafka refused", e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("kafka did not answer in " + CALL_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for kafka", e);
    }
  }
}
