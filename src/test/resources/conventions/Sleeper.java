/** Only here to be found. */
class Sleeper {
  void waitForIt() throws InterruptedException {
    Thread.sleep(500);
  }
}
