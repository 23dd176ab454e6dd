package io.failureledger.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.embedded.Command;
import io.failureledger.embedded.Home;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slips that are found before anything is connected to, in one sentence or two. */
@Timeout(300)
class CheckTest {
  private final Path home = Home.with("consumer-graph", "shopify");
  private ServerSocket everything;

  @BeforeEach
  void pointEverythingAtOneServer() throws IOException {
    everything = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    String server = "localhost:" + everything.getLocalPort();
    // Its own port is taken too, as by a bundle that runs.
    settings(
        """
        ledger.url=jdbc:postgresql://%1$s/ledger
        ledger.username=nobody
        kafka.brokers=%1$s
        pubsub.project=p
        pubsub.endpoint=%1$s
        pubsub.credentials=none
        graph.uri=bolt://%1$s
        backfill.url=http://%1$s
        management.port=%2$d
        invoices.topic=invoices
        """
            .formatted(server, everything.getLocalPort()));
  }

  @AfterEach
  void clear() throws IOException {
    everything.close();
    Home.delete(home);
  }

  private void settings(String text) throws IOException {
    Files.writeString(home.resolve("own.properties"), text);
  }

  private Command.Result run(String command) {
    return Command.run(home, command, "--config", home.resolve("own.properties").toString());
  }

  private void assertNothingWasConnectedTo() throws IOException {
    everything.setSoTimeout(1);
    assertThatThrownBy(everything::accept).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void aGoodHomeIsToldWithItsFeedsAndNothingIsConnectedTo() throws IOException {
    Files.writeString(home.resolve(Slip.FEED), Slip.INVOICES);
    Command.Result result = run("check");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("consumer-graph", "invoices", "shopify")
        .startsWith("All is well; feeds: ")
        .hasLineCount(1);
    assertThat(result.exitCode()).isZero();
    assertNothingWasConnectedTo();
  }

  @Test
  void eachSlipIsToldWithItsFileAndWhatWasProbablyMeant() throws IOException {
    SoftAssertions told = new SoftAssertions();
    for (Slip slip : Slip.all()) {
      write(slip);
      Command.Result result = run("check");
      told.assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
      told.assertThat(result.err())
          .contains(slip.said())
          .doesNotContain("\tat ", "Exception")
          .hasLineCount(1);
      told.assertThat(result.out()).isEmpty();
      for (String file : slip.files().keySet()) {
        Files.delete(home.resolve(file));
      }
    }
    told.assertAll();
    assertNothingWasConnectedTo();
  }

  @Test
  void aKeyThatIsSpeltDifferentlyInARouteIsToldWithTheFile() throws IOException {
    Files.writeString(
        home.resolve(Slip.FEED), Slip.INVOICES.replace("invoices.topic", "invoice.topic"));
    Command.Result result = run("check");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("did you mean invoice.topic?", Slip.FEED);
  }

  @Test
  void aMistakeInTheDescriptionOfATableIsToldWithFileAndLine() throws IOException {
    Files.writeString(home.resolve(Slip.FEED), Slip.INVOICES);
    String file = "routes/feeds/shopify/drafts.table.yaml";
    Files.writeString(
        home.resolve(file), "topics: [drafts/*]\nkey: {id: integer}\ncolums:\n  name: text\n");
    for (String command : List.of("check", "run")) {
      Command.Result result = run(command);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err())
          .contains(file + ", line 3: there is no key colums here; did you mean columns?")
          .doesNotContain("Exception")
          .hasLineCount(1);
    }
    assertNothingWasConnectedTo();
  }

  @Test
  void everyCommandThatStartsRoutesRefusesBeforeItConnects() throws IOException {
    Slip slip = Slip.all().get(0);
    write(slip);
    for (String command : List.of("run", "retry")) {
      Command.Result result = run(command);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).contains(slip.said()).hasLineCount(1);
    }
    assertNothingWasConnectedTo();
  }

  private void write(Slip slip) throws IOException {
    for (Map.Entry<String, String> file : slip.files().entrySet()) {
      Files.write(home.resolve(file.getKey()), file.getValue().getBytes(UTF_8));
    }
  }
}
