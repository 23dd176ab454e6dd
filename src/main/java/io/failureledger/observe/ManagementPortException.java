package io.failureledger.observe;

import java.io.IOException;

/**
 * The management port cannot be opened: another process has it, or the address is none of this
 * machine's. Nothing was started when it is thrown. The message is one sentence for the operator.
 */
public final class ManagementPortException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ManagementPortException(String host, int port, IOException cause) {
    super(
        "the management port "
            + host
            + ":"
            + port
            + " cannot be opened ("
            + cause.getMessage()
            + "); set management.host and management.port.",
        cause);
  }
}
