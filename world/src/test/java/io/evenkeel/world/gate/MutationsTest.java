package io.evenkeel.world.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the list does not rot between runs of the gate. */
class MutationsTest {
    @Test
    void eachStillAppliesToItsFileAndChangesIt() {
        List<Mutation> all = new ArrayList<>(Mutations.all());
        all.addAll(Mutations.seeded());
        for (Mutation mutation : all) {
            List<String> source = Mutations.source(mutation);
            assertThat(mutation.occurrences(source))
                    .as("\"%s\" in %s: how often the lines stand there", mutation.name(), mutation.file())
                    .isEqualTo(1);
            assertThat(mutation.applyTo(source)).as(mutation.name()).isNotEqualTo(source);
        }
    }

    @Test
    void thereAreThoseOfTheReviewAndTwentyOfTheCrossingKind() {
        List<Mutation> all = Mutations.all();

        assertThat(all).hasSizeGreaterThanOrEqualTo(43);
        assertThat(new HashSet<>(all)).hasSameSizeAs(all);
        assertThat(all).extracting(Mutation::name).doesNotHaveDuplicates();
        assertThat(Mutations.seeded()).hasSizeGreaterThanOrEqualTo(10);
    }
}
