package io.failureledger.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerWaitTest {

  @TempDir private Path home;
  private final List<Long> pauses = new ArrayList<>();
  private Settings settings;
  private int asked;

  @BeforeEach
  void readSettings() throws IOException {
    Files.writeString(
        home.resolve("application.properties"),
        "ledger.url=jdbc:postgresql://db/ledger?password=hush\nledger.username=runner\n");
    settings = Settings.load(home, new Properties());
  }

  private LedgerWait answeringAfter(int failures, String state) {
    return new LedgerWait(
        settings,
        () -> {
          if (asked++ < failures) {
            throw new SQLException("said no", state);
          }
        },
        duration -> pauses.add(duration.toSeconds()));
  }

  @Test
  void anUnreachableLedgerIsAskedAgainEachSecond() throws Exception {
    answeringAfter(7, "08001").untilReachable();
    assertThat(pauses).containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 1L);
  }

  @Test
  void aLedgerThatStartsUpIsWaitedFor() throws Exception {
    answeringAfter(1, "57P03").untilReachable();
    assertThat(pauses).containsExactly(1L);
  }

  @Test
  void whatWaitingCannotHealEndsTheWaitAtOnce() {
    for (String state : new String[] {"3D000", "28P01", "28000", "42501", "XX000"}) {
      assertThatThrownBy(() -> answeringAfter(Integer.MAX_VALUE, state).untilReachable())
          .isInstanceOf(LedgerRefusedException.class)
          .hasMessageContaining("jdbc:postgresql://db/ledger?password=***")
          .hasMessageNotContaining("hush");
    }
    assertThat(pauses).isEmpty();
  }
}
