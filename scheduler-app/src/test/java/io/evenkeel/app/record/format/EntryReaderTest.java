package io.evenkeel.app.record.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.model.kind.Kinds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Entries of which the checksums are right and the content is not, as of another version. */
class EntryReaderTest {
    @Test
    void anEndIsForOneOfTheKnownReasons() {
        ByteWriter entry = new ByteWriter();
        entry.tag(Tags.ENDED);
        word(entry, "BORED");

        assertThatThrownBy(() -> read(entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("Why: expected one of [A-Z_]+(, [A-Z_]+)*, got \"BORED\"");
    }

    @ParameterizedTest
    @CsvSource({"BindFailure, NOT_BOUND", "WriteFailure, NOT_WRITTEN", "EvictionFailure, NOT_EVICTED"})
    void aFailureIsOneThatIsKnown(String field, String tag) {
        ByteWriter entry = new ByteWriter();
        entry.tag(
                switch (tag) {
                    case "NOT_BOUND" -> Tags.NOT_BOUND;
                    case "NOT_WRITTEN" -> Tags.NOT_WRITTEN;
                    default -> Tags.NOT_EVICTED;
                });
        entry.number(0);
        for (String part : new String[] {"shop", "web", "uid"}) {
            entry.text(part);
        }
        if (tag.equals("NOT_BOUND")) {
            word(entry, "n1");
        }
        word(entry, "ODD\u001b");

        assertThatThrownBy(() -> read(entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(field + ": expected one of [A-Z_]+(, [A-Z_]+)*, got \"ODD\\\\u001b\"");
    }

    private static void word(ByteWriter entry, String word) {
        entry.number(0);
        entry.text(word);
    }

    private static Entry read(ByteWriter entry) {
        EntryReader reader = new EntryReader(Kinds.IN_TREE);
        reader.begin(new ByteReader(Arrays.copyOf(entry.array(), entry.length()), entry.length()));
        return reader.next();
    }
}
