package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LoggingPreferences;

/** A Chromium without a window, and the chat's page in it. */
final class TestBrowser implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path profile;
  private final ChromeDriver driver;

  TestBrowser() {
    try {
      profile = Files.createTempDirectory("chat-browser");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable("browser", Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1280,800",
        "--user-data-dir=" + profile);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(new File("/usr/bin/chromedriver"))
                .usingAnyFreePort()
                .build(),
            options);
  }

  ChromeDriver driver() {
    return driver;
  }

  TestBrowser open(int port) {
    driver.get("http://127.0.0.1:" + port + "/");
    sees("#connection", "connected");
    return this;
  }

  /** Presses keys, wherever the focus is. */
  TestBrowser keys(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
    return this;
  }

  /** Presses a key while holding another. */
  TestBrowser chord(Keys held, CharSequence key) {
    new Actions(driver).keyDown(held).sendKeys(key).keyUp(held).perform();
    return this;
  }

  TestBrowser join(String nick, String room) {
    keys(nick, Keys.TAB, room, Keys.ENTER);
    return sees("#room-title", room.isEmpty() ? "lobby" : room);
  }

  TestBrowser say(String text) {
    find("#text").sendKeys(text + Keys.ENTER);
    return this;
  }

  WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  String text(String selector) {
    return String.valueOf(
        driver.executeScript("return document.querySelector(arguments[0]).innerText", selector));
  }

  /** Waits until an element has a text. */
  TestBrowser sees(String selector, String text) {
    await(selector + " has " + text)
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(text(selector)).contains(text));
    return this;
  }

  String focused() {
    return String.valueOf(driver.executeScript("return document.activeElement.id"));
  }

  /** Errors on the console, a violated policy among them. */
  List<String> errors() {
    return driver.manage().logs().get("browser").getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Leaves the page, so that its member leaves the hub. */
  void leave() {
    driver.get("about:blank");
  }

  @Override
  public void close() throws IOException {
    driver.quit();
    try (Stream<Path> files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
