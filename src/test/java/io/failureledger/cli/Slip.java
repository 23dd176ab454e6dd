package io.failureledger.cli;

import java.util.List;
import java.util.Map;

/**
 * A slip of an integration engineer in the files of a home, and what a start says about it.
 *
 * @param files texts by their paths in the home
 * @param said what the message has; among it the file and line, and what was probably meant
 */
record Slip(Map<String, String> files, List<String> said) {
  static final String FEED = "routes/feeds/invoices.camel.yaml";
  private static final String JAVA = "routes/feeds/Invoices.java";

  /** The feed of the README, without a slip. */
  static final String INVOICES =
      """
      - templatedRoute:
          routeTemplateRef: kafka-feed
          routeId: ingest-invoices
          parameters:
            - name: feed
              value: invoices
            - name: topic
              value: "{{invoices.topic}}"
            - name: group
              value: invoices
            - name: policy
              value: ledger
      - route:
          id: handle-invoices
          description: Sends an invoice to accounting.
          group: feeds
          routeConfigurationId: propagate
          from:
            uri: direct:handle-invoices
            steps:
              - to:
                  id: post-invoice
                  uri: kamelet:post-json-sink
                  parameters:
                    url: http://localhost:1
      """;

  private static final String CLASS =
      """
      public class Invoices extends org.apache.camel.builder.RouteBuilder {
        @Override
        public void configure() {
          %s
        }
      }
      """;

  /** Its only step has the id of another route's. */
  private static final String OTHER =
      """
      - route:
          id: other
          from:
            uri: direct:other
            steps:
              - log:
                  id: post-invoice
                  message: a
      """;

  private static final String REDELIVERS =
      """
          errorHandler:
            defaultErrorHandler:
              redeliveryPolicy:
                maximumRedeliveries: 10
                redeliveryDelay: "2000"
      """;

  /** In the feed's file: this is written where that should be. */
  private static Slip in(String right, String wrong, String... said) {
    if (!INVOICES.contains(right)) {
      throw new IllegalArgumentException(right);
    }
    return new Slip(Map.of(FEED, INVOICES.replace(right, wrong)), List.of(said));
  }

  /** Another file. */
  private static Slip file(String file, String text, String... said) {
    return new Slip(Map.of(FEED, INVOICES, file, text), List.of(said));
  }

  private static String line(int line) {
    return FEED + ", line " + line + ": ";
  }

  static List<Slip> all() {
    return List.of(
        // templates and their parameters
        in("kafka-feed", "kafka-fed", line(2), "ingest-invoices", "did you mean kafka-feed?"),
        in("name: policy", "name: polcy", line(11), "no parameter polcy", "did you mean policy?"),
        in("name: group", "name: grup", line(9), "no parameter grup", "did you mean group?"),
        in(
            "- route:\n",
            "      - name: ordr\n        value: subject\n- route:\n",
            line(13),
            "did you mean order?"),
        in(
            "      - name: group\n        value: invoices\n",
            "",
            line(3),
            "the parameter group of the template kafka-feed is missing"),
        in("value: ledger", "value: persistt", FEED, "the feed invoices", "did you mean persist?"),
        in(
            "value: ledger",
            "value: ledger\n      - name: order\n        value: subjct",
            FEED,
            "order=subjct",
            "allowed are subject"),
        in(
            "value: ledger",
            "value: ledger\n      - name: user\n        value: jsn:/id",
            FEED,
            "the feed invoices",
            "jsn:/id"),
        in(
            "value: ledger",
            "value: ledger\n      - name: retry-topic\n        value: r",
            FEED,
            "the feed invoices",
            "retry-group"),
        // settings
        in(
            "http://localhost:1",
            "\"{{invoices.ulr}}\"",
            line(25),
            "no setting is called invoices.ulr"),
        in(
            "value: ledger",
            "value: ledger\n      - name: user\n        value: \"{{a.user}}\"",
            line(14),
            "no setting is called a.user"),
        // names in routes
        in(
            "routeConfigurationId: propagate",
            "routeConfigurationId: propagat",
            line(17),
            "handle-invoices",
            "did you mean propagate?"),
        in(
            "routeConfigurationId: propagate",
            "routeConfigurationId: propagate,park-on-failur",
            line(17),
            "did you mean park-on-failure?"),
        in(
            "routeConfigurationId: propagate",
            "routeConfigurationId: propagate, park-on-failure",
            line(17),
            "' park-on-failure'",
            "did you mean park-on-failure?"),
        in(
            "id: handle-invoices",
            "id: handle-invoice",
            line(3),
            "the feed invoices has no handler",
            "handle-invoices, not handle-invoice"),
        in(
            "uri: kamelet:post-json-sink",
            "uri: direct:send-invoice",
            line(23),
            "no route begins with direct:send-invoice"),
        in(
            "post-json-sink",
            "post-jsn-sink",
            line(23),
            "no kamelet is called post-jsn-sink",
            "did you mean post-json-sink?"),
        in(
            "url: http",
            "ulr: http",
            line(25),
            "the kamelet post-json-sink has no property ulr",
            "did you mean url?"),
        in(
            "url: http://localhost:1",
            "url: http://localhost:1\n              tiemout: 2s",
            line(26),
            "no property tiemout"),
        in(
            "    - to:\n",
            "    - process:\n            ref: refuse-open-targt\n        - to:\n",
            line(22),
            "handle-invoices",
            "no bean is called refuse-open-targt",
            "did you mean refuse-open-target?"),
        in(
            "uri: kamelet:post-json-sink",
            "uri: kafk:elsewhere",
            line(23),
            "no component is called kafk",
            "did you mean kafka?"),
        in(
            "uri: kamelet:post-json-sink\n            parameters:\n              url: http://localhost:1",
            "uri: kafka:elsewhere\n            parameters:\n              brokrs: there",
            line(25),
            "handle-invoices",
            "has no option brokrs",
            "did you mean brokers?"),
        // YAML
        in("- route:", "- rout:", line(13), "rout", "did you mean route?"),
        in("- to:", "- too:", line(21), "too", "did you mean to?"),
        in(
            "routeConfigurationId:",
            "routeConfigurationIdd:",
            line(17),
            "did you mean routeConfigurationId?"),
        in("id: post-invoice", "id: \"post-invoice", FEED + ", line "),
        in("    routeConfigurationId", "\trouteConfigurationId", line(17)),
        in(
            "value: ledger",
            "value: ledger\n      - nmae: x",
            line(13),
            "nmae",
            "did you mean name?"),
        file("routes/feeds/empty.camel.yaml", "", "routes/feeds/empty.camel.yaml is empty"),
        file(
            "routes/feeds/comments.camel.yaml",
            "# nothing yet\n",
            "routes/feeds/comments.camel.yaml is empty"),
        file(
            "routes/feeds/map.camel.yaml",
            "route:\n  id: a\n",
            "routes/feeds/map.camel.yaml is no list",
            "\"- \""),
        file(
            "routes/feeds/more.yaml",
            INVOICES,
            "routes/feeds/more.yaml would not be read",
            ".camel.yaml"),
        // the same twice
        file(
            "routes/feeds/copy.camel.yaml",
            INVOICES,
            FEED + ", line 14",
            "routes/feeds/copy.camel.yaml, line 14",
            "handle-invoices"),
        file(
            "routes/feeds/copy.camel.yaml",
            INVOICES.substring(INVOICES.indexOf("- route:")),
            FEED + ", line 14",
            "routes/feeds/copy.camel.yaml, line 2",
            "handle-invoices"),
        file(
            "routes/feeds/copy.camel.yaml",
            OTHER,
            FEED + ", line 22",
            "routes/feeds/copy.camel.yaml, line 7",
            "post-invoice"),
        // Java
        file(
            JAVA,
            CLASS.formatted("int i = 1"),
            JAVA + ", line 4: does not compile: ",
            "';' expected"),
        file(
            JAVA,
            CLASS.formatted(
                "from(\"direct:a\").routeId(\"a\").routeConfigurationId(\"propagat\").to(\"log:a\");"),
            JAVA + ", line 4: ",
            "the route a",
            "did you mean propagate?"),
        file(
            JAVA,
            CLASS.formatted(
                "templatedRoute(\"kafka-feed\").routeId(\"ingest-a\").parameter(\"fed\", \"a\");"),
            JAVA + ", line 4: ",
            "did you mean feed?"),
        file(
            JAVA,
            CLASS.formatted("throw new IllegalStateException(\"told to\");"),
            JAVA,
            "told to"),
        // what would hold up a feed
        in(
            "    routeConfigurationId: propagate\n",
            REDELIVERS,
            line(14),
            "10 redeliveries",
            "allowed is 1.8 s"));
  }
}
