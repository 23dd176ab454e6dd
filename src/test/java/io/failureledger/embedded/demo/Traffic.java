package io.failureledger.embedded.demo;

import java.util.List;

/** Makes up a feed's events, the same ones for the same seed. One thread uses it. */
interface Traffic {
  String feed();

  /** The next event; where there is a second one it is older and to be published later. */
  List<DemoEvent> next();
}
