package io.failureledger.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An event's headers as JSON, in the ledger and on retry and dead-letter records: order, repeats,
 * nulls and bytes survive. Values that are text stay readable: {@code
 * [{"name":"a","value":"b"},{"name":"c","base64":"AAE="}]}.
 */
public final class HeaderJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private HeaderJson() {}

  public static String write(List<Header> headers) {
    ArrayNode array = JSON.createArrayNode();
    for (Header header : headers) {
      ObjectNode node = array.addObject();
      String text = asText(header.value());
      node.put("name", Text.clean(header.name()));
      if (header.value() == null) {
        node.putNull("value");
      } else if (text != null) {
        node.put("value", text);
      } else {
        node.put("base64", header.value());
      }
    }
    try {
      return JSON.writeValueAsString(array);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a list of names and bytes is always JSON", e);
    }
  }

  /**
   * Takes what can be read and leaves out the rest, so that no entry, whatever wrote it, hides the
   * others or its event.
   *
   * @throws IllegalArgumentException when the text is no JSON
   */
  public static List<Header> read(String json) {
    try {
      List<Header> headers = readWritten(json);
      return headers != null ? headers : readAny(json);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a list of headers: " + Text.bounded(json, 200), e);
    }
  }

  /** What {@link #write} wrote, in one pass, since each replay reads it; null for anything else. */
  private static List<Header> readWritten(String json) throws IOException {
    List<Header> headers = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        return null;
      }
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        String name = "name".equals(parser.nextFieldName()) ? parser.nextTextValue() : null;
        boolean text = "value".equals(parser.nextFieldName());
        JsonToken token = parser.nextToken();
        if (name == null
            || !text
            || (token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NULL)) {
          return null;
        }
        headers.add(Header.of(name, token == JsonToken.VALUE_NULL ? null : parser.getText()));
        if (parser.nextToken() != JsonToken.END_OBJECT) {
          return null;
        }
      }
      return parser.currentToken() == JsonToken.END_ARRAY ? headers : null;
    }
  }

  private static List<Header> readAny(String json) throws IOException {
    List<Header> headers = new ArrayList<>();
    for (JsonNode node : JSON.readTree(json)) {
      if (node.path("name").isTextual()) {
        headers.add(header(node));
      }
    }
    return headers;
  }

  private static Header header(JsonNode node) throws IOException {
    String name = node.get("name").textValue();
    JsonNode base64 = node.get("base64");
    if (base64 == null) {
      return Header.of(name, node.path("value").textValue());
    }
    try {
      return new Header(name, base64.binaryValue());
    } catch (InvalidFormatException notBase64) {
      return Header.of(name, base64.textValue());
    }
  }

  /** The value as text where that loses nothing, else null. */
  private static String asText(byte[] value) {
    String text = Text.exact(value);
    return text == null || text.indexOf(0) >= 0 ? null : text;
  }
}
