package io.failureledger.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.camel.util.TimeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @ValueSource(strings = {"0s", "500ms", "30s", "5m", "2h", "120s", "720h"})
  void aDurationMeansTheSameToCamel(String text) {
    assertThat(Durations.parse(text).toMillis()).isEqualTo(TimeUtils.toMilliSeconds(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "5 s", "-5s", "1.5s", "5d", "1h30m", "5S", "99999999999s"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whiteSpaceAroundAListsItemsIsAllowed() {
    assertThat(Durations.parse(" 5s ").toSeconds()).isEqualTo(5);
  }
}
