package io.evenkeel.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.evenkeel.file.BoundedLines.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BoundedLinesTest {
    private static final int MIB = 1 << 20;

    @Test
    void aLineThatIsTooLongSpoilsNoOther() throws IOException {
        String longest = "x".repeat(MIB);

        List<Line> lines = read(MIB, "before\n" + longest + "\n" + longest + "x\nafter\n" + longest + "xx");

        Line tooLong = new Line.Unusable("longer than 1 MiB");
        assertThat(lines)
                .containsExactly(
                        new Line.Text("before"), new Line.Text(longest), tooLong, new Line.Text("after"), tooLong);
    }

    @Test
    void aLineWithoutEndTakesNoMoreMemoryThanTheLongest() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (BoundedLines lines = new BoundedLines(new Zeros(256L * MIB), new Bound(MIB, "1 MiB"))) {
            long before = threads.getCurrentThreadAllocatedBytes();

            assertThat(lines.read().orElseThrow()).isInstanceOf(Line.Unusable.class);

            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 * MIB);
            assertThat(lines.read()).isEmpty();
        }
    }

    @Test
    void aReplacementCharacterThatWasWrittenIsText() throws IOException {
        assertThat(read(MIB, "a\ufffdb")).containsExactly(new Line.Text("a\ufffdb"));
    }

    private static List<Line> read(int longest, String text) throws IOException {
        List<Line> read = new ArrayList<>();
        try (BoundedLines lines = new BoundedLines(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), new Bound(longest, "1 MiB"))) {
            for (Optional<Line> line = lines.read(); line.isPresent(); line = lines.read()) {
                read.add(line.get());
            }
        }
        return read;
    }

    /** What a few compressed bytes may unpack to. */
    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long bytes) {
            left = bytes;
        }

        @Override
        public int read() {
            return left-- > 0 ? '0' : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int count = (int) Math.min(length, left);
            Arrays.fill(into, offset, offset + count, (byte) '0');
            left -= count;
            return count == 0 ? -1 : count;
        }
    }
}
