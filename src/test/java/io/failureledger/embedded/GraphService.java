package io.failureledger.embedded;

import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseInternalSettings;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.connectors.HttpConnector;
import org.neo4j.configuration.connectors.HttpsConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * A real Neo4j 5 server on localhost: Bolt only, no login.
 *
 * <p>A committed transaction survives a kill of this process and is there after a start on the same
 * data directory. It is built without the test harness's own starter, which puts the data into a
 * new directory at every start.
 */
public final class GraphService implements AutoCloseable {

  private final ServiceDirectory directory;
  private final DatabaseManagementService server;
  private final int port;

  private GraphService(ServiceDirectory directory, DatabaseManagementService server, int port) {
    this.directory = directory;
    this.server = server;
    this.port = port;
  }

  /** Starts a server, or starts it again on the graph that it had; returns once it answers. */
  public static GraphService start(ServiceOptions options) {
    ServiceDirectory directory = ServiceDirectory.open("graph", options.dataDirectory());
    int port = options.portOrFree();
    return new GraphService(directory, build(directory.path(), port), port);
  }

  public String boltUri() {
    return "bolt://localhost:" + port;
  }

  @Override
  public void close() {
    server.shutdown();
    directory.close();
  }

  private static DatabaseManagementService build(Path home, int port) {
    SocketAddress address = new SocketAddress("localhost", port);
    long memory = 64L * 1024 * 1024;
    return new DatabaseManagementServiceBuilder(home)
        .setConfig(GraphDatabaseSettings.auth_enabled, false)
        .setConfig(GraphDatabaseSettings.pagecache_memory, memory)
        .setConfig(BoltConnector.enabled, true)
        .setConfig(BoltConnector.listen_address, address)
        .setConfig(BoltConnector.advertised_address, address)
        .setConfig(HttpConnector.enabled, false)
        .setConfig(HttpsConnector.enabled, false)
        .setConfig(GraphDatabaseInternalSettings.netty_server_shutdown_quiet_period, 0)
        .build();
  }
}
