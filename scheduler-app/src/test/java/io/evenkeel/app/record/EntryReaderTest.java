package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.record.EntryWriter.Tags;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
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

    @Test
    void ofAnObjectThatGoesLateNothingStays() {
        List<SchedulerEvent> events = List.of(
                new ClusterEvent.Put(web("first", "1")),
                new ClusterEvent.Put(web("second", "2")),
                new ClusterEvent.Removed(web("first", "1")),
                new ClusterEvent.Put(web("second", "3")),
                new ClusterEvent.Removed(web("second", "4")));
        ByteWriter entries = new ByteWriter();
        EntryWriter writer = new EntryWriter(Kinds.IN_TREE, entries);
        events.forEach(event -> writer.write(new Entry.Took(event)));

        EntryReader reader = new EntryReader(Kinds.IN_TREE);
        reader.begin(new ByteReader(entries.array(), entries.length()));
        List<Entry> read = Stream.generate(reader::next).limit(events.size()).toList();

        assertThat(read).isEqualTo(events.stream().map(Entry.Took::new).toList());
        assertThat(reader.hasNext()).isFalse();
    }

    private static Pod web(String uid, String label) {
        return PodBuilder.pod("web").uid(uid).label("version", label).build();
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
