package io.failureledger.ledger;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement file with types on both sides. {@code sql/failed_event/renew-leases.sql} takes the
 * values {@code :?ids} and {@code :?lease}: a record with the components {@code ids} and {@code
 * lease} holds them. Each row that comes back is a record too, a component a column.
 *
 * <p>A component {@code leaseToken} is the name {@code lease_token}. An enum constant {@code
 * SHARE_FULL} is the text {@code share-full}, an array of them an array of texts. A {@link
 * Duration} is taken as seconds. A column that is null needs a component that is no primitive.
 *
 * @param <V> the values that the statement takes
 * @param <R> a row of its answer
 */
public final class Statement<V extends Record, R extends Record> {
  private static final Pattern NAME = Pattern.compile(":\\?([a-z_]+)");

  private final String name;
  private final String sql;
  private final List<String> names;
  private final Shape<V> values;
  private final Shape<R> row;

  private Statement(String name, String text, Class<V> values, Class<R> row) {
    this.name = name;
    Matcher found = NAME.matcher(text);
    this.names = found.results().map(match -> match.group(1)).toList();
    this.sql = found.replaceAll("?");
    this.values = new Shape<>(values);
    this.row = new Shape<>(row);
  }

  /**
   * Reads the file {@code sql/<name>.sql}.
   *
   * @throws IllegalArgumentException when there is no such file, or it takes other values than the
   *     record holds
   */
  public static <V extends Record, R extends Record> Statement<V, R> of(
      String name, Class<V> values, Class<R> row) {
    Statement<V, R> statement = new Statement<>(name, SqlFile.read(name), values, row);
    TreeSet<String> taken = new TreeSet<>(statement.names);
    TreeSet<String> held = new TreeSet<>(statement.values.columns.keySet());
    if (!taken.equals(held)) {
      throw new IllegalArgumentException(
          "the statement " + name + " takes " + taken + ", and " + values + " holds " + held);
    }
    return statement;
  }

  /** Table and name of the file, without ending. */
  public String name() {
    return name;
  }

  /** The record that a row of this statement's answer is. */
  public R row(Map<String, Object> columns) {
    return row.<RuntimeException>write(columns::get);
  }

  /** Runs once on this connection. */
  List<R> run(Connection connection, V given) throws SQLException {
    try (PreparedStatement prepared = connection.prepareStatement(sql)) {
      Map<String, Object> bound = values.read(given);
      for (int i = 0; i < names.size(); i++) {
        prepared.setObject(i + 1, bound.get(names.get(i)));
      }
      List<R> rows = new ArrayList<>();
      if (prepared.execute()) {
        try (ResultSet answer = prepared.getResultSet()) {
          while (answer.next()) {
            rows.add(row.<SQLException>write(answer::getObject));
          }
        }
      }
      return rows;
    }
  }

  /** The values by name, as camel-jdbc takes them. */
  public static Map<String, Object> values(Record given) {
    return Shape.of(given).read(given);
  }

  /** The record that a row of camel-jdbc's answer is. */
  public static <R extends Record> R row(Class<R> type, Map<String, Object> columns) {
    return Shape.of(type).<RuntimeException>write(columns::get);
  }

  /** Reads a column of the row at hand. */
  private interface Columns<E extends Exception> {
    Object get(String name) throws E;
  }

  /** How a record type and its columns belong together; made once a type. */
  private static final class Shape<T extends Record> {
    private static final ClassValue<Shape<?>> SHAPES =
        new ClassValue<>() {
          @Override
          protected Shape<?> computeValue(Class<?> type) {
            return new Shape<>(type.asSubclass(Record.class));
          }
        };

    private final Class<T> type;
    private final Map<String, MethodHandle> columns = new LinkedHashMap<>();
    private final List<Class<?>> types = new ArrayList<>();
    private final MethodHandle constructor;

    Shape(Class<T> type) {
      this.type = type;
      try {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        for (RecordComponent component : type.getRecordComponents()) {
          columns.put(
              column(component.getName()),
              lookup
                  .unreflect(component.getAccessor())
                  .asType(MethodType.methodType(Object.class, Object.class)));
          types.add(component.getType());
        }
        constructor =
            lookup
                .unreflectConstructor(type.getDeclaredConstructor(types.toArray(Class<?>[]::new)))
                .asSpreader(Object[].class, types.size())
                .asType(MethodType.methodType(Object.class, Object[].class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the record " + type + " cannot be read", e);
      }
    }

    @SuppressWarnings("unchecked")
    static <T extends Record> Shape<T> of(T given) {
      return (Shape<T>) SHAPES.get(given.getClass());
    }

    @SuppressWarnings("unchecked")
    static <T extends Record> Shape<T> of(Class<T> type) {
      return (Shape<T>) SHAPES.get(type);
    }

    private static String column(String component) {
      return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    Map<String, Object> read(T given) {
      Map<String, Object> read = new LinkedHashMap<>();
      columns.forEach(
          (column, accessor) -> {
            try {
              Object value = (Object) accessor.invokeExact((Object) given);
              read.put(column, taken(value));
            } catch (Throwable e) {
              throw new IllegalStateException("the " + column + " of " + type + " failed", e);
            }
          });
      return read;
    }

    <E extends Exception> T write(Columns<E> row) throws E {
      Object[] components = new Object[types.size()];
      int i = 0;
      for (String column : columns.keySet()) {
        Object value = row.get(column);
        Class<?> wanted = types.get(i);
        components[i++] = wanted.isEnum() && value != null ? constant(wanted, value) : value;
      }
      try {
        return type.cast((Object) constructor.invokeExact(components));
      } catch (Throwable e) {
        throw new IllegalStateException("a row is no " + type.getSimpleName(), e);
      }
    }

    /** A value as the statement takes it. */
    private static Object taken(Object value) {
      if (value instanceof Enum<?> constant) {
        return text(constant);
      } else if (value instanceof Enum<?>[] constants) {
        return Arrays.stream(constants).map(Shape::text).toArray(String[]::new);
      }
      return value instanceof Duration span ? span.toMillis() / 1000.0 : value;
    }

    private static String text(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Object constant(Class<?> wanted, Object value) {
      for (Object constant : wanted.getEnumConstants()) {
        if (text((Enum<?>) constant).equals(value)) {
          return constant;
        }
      }
      throw new IllegalArgumentException(
          "'" + value + "' is no " + wanted.getSimpleName().toLowerCase(Locale.ROOT));
    }
  }
}
