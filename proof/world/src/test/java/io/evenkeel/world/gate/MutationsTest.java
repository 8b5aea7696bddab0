package io.evenkeel.world.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.rotation.Rotation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** A tenth of them: the nightly gate would be the first to tell that a name in them is another now. */
    @Test
    void eachStillCompiles(@TempDir Path directory) throws IOException {
        List<Mutation> all = Mutations.all();
        for (int i = 0; i < all.size(); i++) {
            if (!Rotation.plays(i, 10)) {
                continue;
            }
            Mutation mutation = all.get(i);
            Path classes = Files.createDirectory(directory.resolve(mutation.name()));
            new Trial(mutation, classes).compile();
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
