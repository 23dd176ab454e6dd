package io.failureledger.settings;

import java.util.regex.Pattern;

/**
 * Hides secrets in what is shown: log lines, messages, tables. Pure; a masked text masked again
 * stays as it is.
 */
public final class Masking {

  /** What stands in for a secret. */
  public static final String MASK = "***";

  private static final Pattern USER_INFO = Pattern.compile("(://[^:/@\\s]*):[^/\\s]*@");
  private static final Pattern PARAMETER =
      Pattern.compile("(?i)([?&;][^=&;\\s]*(?:password|secret|token)[^=&;\\s]*=)[^&;\\s]*");
  private static final Pattern SECRET_KEY =
      Pattern.compile(
          "(?i).*(password|passwd|secret|token|jaas|credential|api-?key|private-?key).*");

  private Masking() {}

  /** The value as it may be shown: secrets entirely hidden, passwords inside URLs hidden. */
  public static String shown(Setting setting, String value) {
    return setting.secret() && !value.isEmpty() ? MASK : inUrls(value);
  }

  /**
   * The value of a key that the catalogue does not know: hidden when its name sounds like a secret.
   */
  public static String shown(String key, String value) {
    return SECRET_KEY.matcher(key).matches() && !value.isEmpty() ? MASK : inUrls(value);
  }

  /** The text with passwords inside URLs hidden: {@code ://user:***@} and {@code password=***}. */
  public static String inUrls(String text) {
    String noUserInfo = USER_INFO.matcher(text).replaceAll("$1:***@");
    return PARAMETER.matcher(noUserInfo).replaceAll("$1***");
  }
}
