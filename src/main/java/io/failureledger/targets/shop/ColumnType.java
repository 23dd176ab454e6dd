package io.failureledger.targets.shop;

import com.fasterxml.jackson.databind.JsonNode;
import io.failureledger.handler.MalformedEventException;
import io.failureledger.targets.JsonBody;
import io.failureledger.targets.SourceTime;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.postgresql.util.PGobject;

/** What a column has, as a table's description says it: how it is read, created, and bound. */
enum ColumnType {
  TEXT("text", Types.VARCHAR, "text", "varchar", "citext"),
  INTEGER("bigint", Types.BIGINT, "int8", "numeric", "int4"),
  NUMBER("numeric", Types.NUMERIC, "numeric"),
  BOOLEAN("boolean", Types.BOOLEAN, "bool"),
  TIME("timestamptz", Types.TIMESTAMP_WITH_TIMEZONE, "timestamptz"),
  // json, not jsonb: it keeps the text as it was received and accepts what jsonb refuses (\u0000).
  JSON("json", Types.VARCHAR, "json", "jsonb");

  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,20})?");
  private static final int WHOLE_DIGITS = 30;
  private static final int DECIMALS = 20;

  private final String sql;
  private final int jdbc;
  private final List<String> takes;

  ColumnType(String sql, int jdbc, String... takes) {
    this.sql = sql;
    this.jdbc = jdbc;
    this.takes = List.of(takes);
  }

  /** Its word in a description. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type of a column that is created. */
  String sql() {
    return sql;
  }

  /**
   * Whether a column of a target can have it.
   *
   * @param type as {@code pg_type.typname} has it; of a domain, its base type
   */
  boolean fits(String type) {
    return takes.contains(type);
  }

  /** A parameter of this type in a statement. */
  String parameter(String name) {
    return this == JSON ? "cast(:?" + name + " as json)" : ":?" + name;
  }

  /**
   * The value of a field, or null for JSON's null.
   *
   * @param field its name, asked for only when a message needs it
   * @throws MalformedEventException when it is of another kind
   */
  Object read(Supplier<String> field, JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    Object value =
        switch (this) {
          case TEXT -> node.isTextual() ? JsonBody.storable(node.textValue()) : null;
          case INTEGER ->
              node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : null;
          case NUMBER -> number(node);
          case BOOLEAN -> node.isBoolean() ? node.booleanValue() : null;
          case TIME ->
              node.isTextual()
                  ? SourceTime.parse("The field " + field.get(), node.textValue())
                  : null;
          case JSON -> JsonBody.storable(node.toString());
        };
    if (value == null) {
      throw new MalformedEventException(
          "The field "
              + field.get()
              + " is no "
              + word()
              + ": "
              + JsonBody.cut(node.toString())
              + ".");
    }
    return value;
  }

  /** Of a number, or of a text that is one; money comes as text. */
  private static BigDecimal number(JsonNode node) {
    BigDecimal number;
    if (node.isNumber()) {
      number = node.decimalValue();
    } else if (node.isTextual() && DECIMAL.matcher(node.textValue()).matches()) {
      number = new BigDecimal(node.textValue());
    } else {
      return null;
    }
    long whole = (long) number.precision() - number.scale();
    return whole <= WHOLE_DIGITS && number.scale() <= DECIMALS ? number : null;
  }

  /**
   * Binds a value. A null has its type too: a statement that is prepared at the server would
   * otherwise be prepared anew for each other set of nulls.
   */
  void bind(PreparedStatement statement, int index, Object value) throws SQLException {
    if (value != null) {
      statement.setObject(index, value);
    } else if (this == TIME) { // the driver has no null of this type
      PGobject none = new PGobject();
      none.setType(sql);
      statement.setObject(index, none);
    } else {
      statement.setNull(index, jdbc);
    }
  }
}
