package io.failureledger;

/** x. */
public final class App {
  private App() {}

  public static void main(String[] a) {}
}
