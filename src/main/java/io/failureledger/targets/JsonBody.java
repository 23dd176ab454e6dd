package io.failureledger.targets;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.failureledger.handler.MalformedEventException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A body read strictly: UTF-8, one JSON object, nothing after it, no key twice. Numbers keep their
 * digits.
 *
 * @param text the body's text as received, without a byte order mark
 * @param json the same, parsed
 */
public record JsonBody(String text, JsonNode json) {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** Parses the bytes, or says where and why not in a {@link MalformedEventException}. */
  public static JsonBody parse(byte[] body) {
    if (body == null || body.length == 0) {
      throw new MalformedEventException("The body is empty; a JSON object is expected.");
    }
    String text = decode(body);
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw notJson(text, e);
    }
    if (!json.isObject()) {
      String kind =
          json.isMissingNode() ? "blank" : "JSON, but no object (" + json.getNodeType() + ")";
      throw new MalformedEventException(
          "The body is "
              + kind
              + "; a JSON object is expected at line 1, column 1, near "
              + quote(text, 0)
              + ".");
    }
    return new JsonBody(text, json);
  }

  private static String decode(byte[] body) {
    ByteBuffer bytes = ByteBuffer.wrap(body);
    CharBuffer chars = CharBuffer.allocate(body.length);
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var result = decoder.decode(bytes, chars, true);
    if (result.isError()) {
      try {
        result.throwException();
      } catch (CharacterCodingException e) {
        String before = chars.flip().toString();
        throw new MalformedEventException(
            "The body is not UTF-8 at byte "
                + bytes.position()
                + ", after "
                + quote(before, before.length())
                + ".",
            e);
      }
    }
    String text = chars.flip().toString();
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static MalformedEventException notJson(String text, JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    int offset = at == null ? 0 : (int) Math.max(0, Math.min(text.length(), at.getCharOffset()));
    String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    return new MalformedEventException(
        "The body is not valid JSON"
            + where
            + ", near "
            + quote(text, offset)
            + ": "
            + cut(e.getOriginalMessage()),
        e);
  }

  /**
   * The text around a position, at most {@value MalformedEventException#EXCERPT} characters, in
   * quotes.
   */
  static String quote(String text, int offset) {
    int half = MalformedEventException.EXCERPT / 2;
    return "'"
        + cut(text.substring(Math.max(0, offset - half), Math.min(text.length(), offset + half)))
        + "'";
  }

  /** At most {@value MalformedEventException#EXCERPT} characters of a text, on one line. */
  public static String cut(String text) {
    int end = Math.min(text.length(), MalformedEventException.EXCERPT);
    return storable(text.substring(0, end)).replaceAll("\\p{Cntrl}", " ");
  }

  /**
   * The text with what Postgres cannot store as text (NUL, half a surrogate pair) replaced by
   * U+FFFD.
   */
  public static String storable(String text) {
    if (text.chars().noneMatch(c -> c == 0 || Character.isSurrogate((char) c))) {
      return text;
    }
    StringBuilder kept = new StringBuilder(text.length());
    text.codePoints()
        .map(
            c ->
                c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                    ? 0xFFFD
                    : c)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
