package io.failureledger.scenario;

/** Ways in which a real server writes no row, for a bundle that logs in as the site's runner. */
enum Outage {
  /** 42501. */
  RIGHT_REVOKED {
    @Override
    void begin(Site site) {
      site.ledger.run("revoke insert on failed_event from " + site.runner());
    }

    @Override
    void end(Site site) {
      site.ledger.run("grant insert on failed_event to " + site.runner());
    }
  },
  /** 57P01 for the connections that are open, 53300 for new ones. */
  NO_CONNECTION_LEFT {
    @Override
    void begin(Site site) {
      site.ledger.run("alter role " + site.runner() + " connection limit 0");
      disconnect(site);
    }

    @Override
    void end(Site site) {
      site.ledger.run("alter role " + site.runner() + " connection limit -1");
    }
  },
  /** 25006, as on a server that is a standby now; connections from then stay so when it ends. */
  READ_ONLY {
    @Override
    void begin(Site site) {
      site.ledger.run("alter role " + site.runner() + " set default_transaction_read_only = on");
      disconnect(site);
    }

    @Override
    void end(Site site) {
      site.ledger.run("alter role " + site.runner() + " reset default_transaction_read_only");
    }
  },
  /** 57014, when ledger.statement.timeout has passed. */
  NO_ANSWER_IN_TIME {
    @Override
    void begin(Site site) {
      site.ledger.run("begin");
      site.ledger.run("lock table failed_event_content in access exclusive mode");
    }

    @Override
    void end(Site site) {
      site.ledger.run("rollback");
    }
  };

  abstract void begin(Site site);

  abstract void end(Site site);

  private static void disconnect(Site site) {
    site.ledger.rows(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ?",
        site.runner());
  }
}
