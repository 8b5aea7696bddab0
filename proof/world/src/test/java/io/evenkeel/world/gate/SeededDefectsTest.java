package io.evenkeel.world.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.world.exhaustive.Explore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Breaks the scheduler where things cross, and looks whether one of all the stories of a small world shows it. Takes minutes,
 * so only with {@code -Pgate}; {@code -Dworld.gate.only=TEXT} takes only those whose names match.
 */
@EnabledIfSystemProperty(named = "world.gate", matches = "true")
class SeededDefectsTest {
    private static final int DEPTH = Integer.getInteger("world.exhaustive.depth", 10);
    private static final Pattern ONLY = Pattern.compile(System.getProperty("world.gate.only", ""));

    @Test
    void eachIsFoundByTellingAllStories(@TempDir Path directory) throws IOException, InterruptedException {
        List<String> missed = new ArrayList<>();
        for (Mutation mutation : Mutations.seeded()) {
            if (ONLY.matcher(mutation.name()).find()) {
                Path classes = Files.createTempDirectory(directory, "broken");
                Optional<List<String>> found =
                        new Trial(mutation, classes).played(Explore.class, Integer.toString(DEPTH), "shortest");
                System.out.println("\n" + mutation.name());
                System.out.println(String.join("\n", found.orElse(List.of("is not found"))));
                if (found.isEmpty()) {
                    missed.add(mutation.name());
                }
            }
        }
        assertThat(missed)
                .as("defects that no story shows of up to %d steps", DEPTH)
                .isEmpty();
    }
}
