package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.model.kind.Kinds;
import io.evenkeel.rotation.Rotated;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record that was changed is refused wherever that was; of one that was cut off, all that is whole is used. */
class DamagedRecordTest {
    private static final int MAGIC = 18;

    @TempDir
    private Path directory;

    private Path damaged = Path.of("");
    private byte[] whole = {};

    @BeforeEach
    void isRecorded() throws IOException {
        RandomRun run = RandomRun.recorded(1, directory);
        run.list();
        run.play(10);
        run.end();
        whole = Files.readAllBytes(RecordedScheduler.segments(directory).getFirst());
        damaged = directory.resolve("damaged");
    }

    private record Content(List<Entry> entries, Optional<Entry.Why> ended, Optional<String> cutOff) {}

    private Content read(byte[] bytes) {
        try (SegmentInput input = SegmentInput.of(damaged, new ByteArrayInputStream(bytes))) {
            input.expect(Kinds.IN_TREE);
            List<Entry> entries = new ArrayList<>();
            for (Optional<Entry> next = input.next(); next.isPresent(); next = input.next()) {
                entries.add(next.get());
            }
            return new Content(entries, input.ended(), input.cutOff());
        }
    }

    @Test
    void whatWasWrittenIsRead() {
        Content content = read(whole);
        assertThat(content.entries()).hasSizeGreaterThan(100);
        assertThat(content.ended()).contains(Entry.Why.STOPPED);
        assertThat(content.cutOff()).isEmpty();
    }

    /** A few bytes that unpack to more than there is memory for. */
    @Rotated(3)
    @Test
    void aFrameThatUnpacksToTooMuchIsRefused() throws IOException {
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(new byte[1 << 28]);
        byte[] piece = new byte[1 << 20];
        int length = deflater.deflate(piece, 0, piece.length, Deflater.SYNC_FLUSH);
        ByteBuffer frames = ByteBuffer.wrap(whole).position(MAGIC);
        int header = MAGIC + 12 + frames.getInt();
        byte[] bomb = ByteBuffer.allocate(header + 12 + length)
                .put(whole, 0, header)
                .putInt(length)
                .putInt(sum(ByteBuffer.allocate(8).putInt(1).putInt(length).array(), 8))
                .putInt(sum(piece, length))
                .put(piece, 0, length)
                .array();

        assertThatThrownBy(() -> read(bomb))
                .isInstanceOf(RecordException.class)
                .hasMessage(damaged + ": offset " + header + ": the frame unpacks to more than a record may have");
    }

    private static int sum(byte[] bytes, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, length);
        return (int) sum.getValue();
    }

    @Test
    void aBitThatIsAnotherIsFoundWhereverItIs() {
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= (byte) (1 << at % 8);
            assertThatThrownBy(() -> read(changed))
                    .as("byte %d", at)
                    .isInstanceOf(RecordException.class)
                    .hasMessageMatching("\\Q" + damaged + "\\E: offset [0-9]+: [^\n]+");
        }
    }

    @Test
    void ofAFileThatEndsAnywhereAllThatIsWholeIsUsed() {
        List<String> all = texts(read(whole).entries());
        int most = 0;
        int header = headerEnd();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            if (length < header) {
                assertThatThrownBy(() -> read(part))
                        .as("%d bytes", length)
                        .isInstanceOf(RecordException.class)
                        .hasMessageMatching("\\Q" + damaged + "\\E: offset [0-9]+: [^\n]+");
            } else {
                Content content = read(part);
                assertThat(content.ended()).as("%d bytes", length).isEmpty();
                assertThat(content.cutOff().orElse("")).matches("\\Q" + damaged + "\\E: offset [0-9]+: [^\n]+");
                if (content.entries().size() > most) {
                    most = content.entries().size();
                    assertThat(texts(content.entries())).isEqualTo(all.subList(0, most));
                }
                assertThat(content.entries()).hasSize(most);
            }
        }
        assertThat(most).isPositive();
    }

    /** Inquiries are questions that no other equals. */
    private static List<String> texts(List<Entry> entries) {
        return entries.stream()
                .map(entry -> entry.toString().replaceAll("\\$\\$Lambda\\S*", ""))
                .toList();
    }

    private int headerEnd() {
        int magic = "evenkeel record 1\n".length();
        int length = ByteBuffer.wrap(whole, magic, 4).getInt();
        return magic + 12 + length;
    }

    @Test
    void whatComesAfterTheEndIsNoPartOfIt() {
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(RecordException.class)
                .hasMessageEndingWith("more comes after the end");
    }
}
