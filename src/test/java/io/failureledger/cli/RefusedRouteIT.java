package io.failureledger.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.App;
import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.Home;
import io.failureledger.scenario.Servers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Routes with which {@code run} does not start. */
@Timeout(120)
class RefusedRouteIT {
  private static final String HOME = "failureledger.home";
  private final StringWriter err = new StringWriter();

  @Test
  void aHandlerThatRedeliversForLongerThanAPollMayTakeEndsTheStartWithOneSentence()
      throws IOException {
    Path home = Home.with("consumer-graph");
    String before = System.getProperty(HOME);
    System.setProperty(HOME, home.toString());
    try {
      Path feed = home.resolve("routes/feeds/consumer-graph.camel.yaml");
      String redelivers =
          """
              id: handle-consumer-graph
              errorHandler:
                defaultErrorHandler:
                  redeliveryPolicy:
                    maximumRedeliveries: 10
                    redeliveryDelay: "2000"
          """
              .stripTrailing();
      String written = Files.readString(feed);
      String id = "    id: handle-consumer-graph";
      assertThat(written).contains(id);
      Files.writeString(feed, written.replace(id, redelivers));
      assertThat(run(home)).isEqualTo(1);
      assertThat(err.toString())
          .startsWith(
              "the route handle-consumer-graph makes a record wait for 10 redeliveries and delays of 20.0 s")
          .contains("allowed is 1.8 s")
          .hasLineCount(1);
    } finally {
      if (before == null) {
        System.clearProperty(HOME);
      } else {
        System.setProperty(HOME, before);
      }
      Home.delete(home);
    }
  }

  private int run(Path home) throws IOException {
    Servers.postgres().createDatabase("refused_route");
    Path file = home.resolve("own.properties");
    Files.writeString(
        file,
        "ledger.url="
            + Servers.postgres().jdbcUrl("refused_route")
            + "\nledger.username=postgres\nmanagement.port="
            + FreePort.find()
            + "\n");
    return App.commandLine()
        .setErr(new PrintWriter(err))
        .execute("run", "--config", file.toString());
  }
}
