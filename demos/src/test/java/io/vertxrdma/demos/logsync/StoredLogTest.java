package io.vertxrdma.demos.logsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a log is after crashes of every kind. */
class StoredLogTest {

  private static final long LAST = 4_294_967_295L;

  @TempDir private Path directory;
  private Path data;
  private Path index;

  @BeforeEach
  void writeThreeSegments() throws IOException {
    data = directory.resolve("log");
    index = directory.resolve("index");
    try (StoredLog log = open()) {
      assertThat(log.nextSequence()).isEqualTo(LAST - 1);
      append(log, "one", "three");
      append(log, "seventeen");
      assertThat(log.nextSequence()).isEqualTo(1);
    }
  }

  private StoredLog open() throws IOException {
    return StoredLog.open(data, index, LAST - 1);
  }

  private static void append(StoredLog log, String... segments) throws IOException {
    int[] lengths = new int[segments.length];
    for (int i = 0; i < segments.length; i++) {
      lengths[i] = segments[i].length();
    }
    log.append(bytes(String.join("", segments)), lengths);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void assertHas(String content, int segments, long nextSequence, long cut)
      throws IOException {
    try (StoredLog log = open()) {
      assertThat(log.segments()).isEqualTo(segments);
      assertThat(log.nextSequence()).isEqualTo(nextSequence);
      assertThat(log.bytes()).isEqualTo(content.length());
      assertThat(log.cut()).isEqualTo(cut);
      CRC32C crc = new CRC32C();
      crc.update(bytes(content));
      assertThat(log.checksum()).isEqualTo((int) crc.getValue());
      assertThat(data).hasContent(content);
      // And it goes on from there.
      append(log, "more");
    }
    assertThat(data).hasContent(content + "more");
    try (StoredLog log = open()) {
      assertThat(log.segments()).isEqualTo(segments + 1);
      assertThat(log.cut()).isZero();
    }
  }

  private void truncate(Path file, long by) throws IOException {
    byte[] all = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(all, (int) (all.length - by)));
  }

  private void change(Path file, int at) throws IOException {
    byte[] all = Files.readAllBytes(file);
    all[at] ^= 1;
    Files.write(file, all);
  }

  @Test
  void everythingIsThereAfterACleanEnd() throws IOException {
    assertHas("onethreeseventeen", 3, 1, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 9})
  void aTornLastSegmentIsCutOff(int missing) throws IOException {
    truncate(data, missing);

    assertHas("onethree", 2, 0, 9 - missing);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16})
  void bytesThatTheIndexDoesNotKnowAreCutOff(int missing) throws IOException {
    truncate(index, missing);

    assertHas("onethree", 2, 0, 9);
  }

  @Test
  void bytesThatCameAfterTheLastEntryAreCutOff() throws IOException {
    Files.write(data, bytes("half a gro"), StandardOpenOption.APPEND);

    assertHas("onethreeseventeen", 3, 1, 10);
  }

  @Test
  void aSegmentWhoseBytesNeverReachedTheDiskIsCutOffWithAllThatFollow() throws IOException {
    change(data, 4);

    assertHas("one", 1, LAST, 14);
  }

  @Test
  void anEntryThatIsDamagedEndsTheLog() throws IOException {
    change(index, 2 * StoredLog.ENTRY + 5);

    assertHas("one", 1, LAST, 14);
  }

  @Test
  void anEntryOfAnotherSequenceEndsTheLog() throws IOException {
    byte[] all = Files.readAllBytes(index);
    System.arraycopy(all, 3 * StoredLog.ENTRY, all, 2 * StoredLog.ENTRY, StoredLog.ENTRY);
    Files.write(index, all);

    assertHas("one", 1, LAST, 14);
  }

  @Test
  void aLogWhoseBytesAreGoneBeginsAgain() throws IOException {
    Files.delete(data);

    assertHas("", 0, LAST - 1, 0);
  }

  @Test
  void aCrashBeforeTheFirstSegmentLeavesAnEmptyLog() throws IOException {
    Files.delete(data);
    truncate(index, 3 * StoredLog.ENTRY + 5);

    assertHas("", 0, LAST - 1, 0);
  }

  @Test
  void bytesWithoutAnIndexAreLeftAloneAndNamed() throws IOException {
    Files.delete(index);

    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessage(data + " has 17 bytes and no index " + index + ": move it out of the way");
    assertThat(data).hasContent("onethreeseventeen");
  }

  @Test
  void aDirectoryBelongsToOneServer() throws IOException {
    try (LogDirectory first = LogDirectory.open(directory, 0)) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> LogDirectory.open(directory, 0))
          .isInstanceOf(IOException.class)
          .hasMessage("another server uses the directory " + directory);
    }
    LogDirectory.open(directory, 0).close();
  }
}
