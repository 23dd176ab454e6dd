package io.failureledger.targets.shop.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialTest {
  @TempDir private Path directory;

  @Test
  void aPasswordIsReadWhereItsReferenceSays() throws Exception {
    Path file = Files.writeString(directory.resolve("secret"), "p ä\n");
    assertThat(Credential.in("file:" + file).read(Map.of())).isEqualTo("p ä");
    Files.writeString(file, "rotated\r\n");
    assertThat(Credential.in("file:" + file).read(Map.of())).isEqualTo("rotated");
    assertThat(Credential.in("env:ACME").read(Map.of("ACME", "x"))).isEqualTo("x");
    assertThat(Credential.stored("y").read(Map.of())).isEqualTo("y");
  }

  @Test
  void aPlaceThatCannotBeReadIsNamed() {
    assertThatThrownBy(() -> Credential.in("env:ACME").read(Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("the environment of this process has no ACME");
    assertThatThrownBy(() -> Credential.in("file:/no/such/file").read(Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the file /no/such/file cannot be read");
  }

  @Test
  void whatIsNoReferenceIsRefusedAndNotRepeated() {
    for (String wrong :
        new String[] {"s3cret", "env:", "env:A B", "file:relative", "vault:x", ""}) {
      assertThatThrownBy(() -> Credential.in(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("allowed are env:NAME and file:/PATH");
    }
  }

  @Test
  void noTextOfItShowsThePassword() {
    assertThat(Credential.stored("s3cret")).hasToString("stored");
    assertThat(Credential.in("env:ACME")).hasToString("env:ACME");
  }
}
