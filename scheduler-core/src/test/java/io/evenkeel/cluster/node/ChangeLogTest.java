package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeLogTest {
    @Test
    void theLogIsReadAsFarBackAsItGoes() {
        ChangeLog log = new ChangeLog(1 << 14);
        for (int i = 0; i < 20_000; i++) {
            log.append(i);
        }
        List<Integer> read = new ArrayList<>();
        log.forEachSince(19_998, read::add);

        assertThat(read).containsExactly(19_998, 19_999);
        assertThat(log.reaches(20_000 - (1 << 14), 1_000_000)).isTrue();
        assertThat(log.reaches(20_000 - (1 << 14) - 1, 1_000_000)).isFalse();
        assertThat(log.reaches(19_990, 9)).isFalse();
    }
}
