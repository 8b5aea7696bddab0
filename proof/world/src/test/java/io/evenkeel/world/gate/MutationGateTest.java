package io.evenkeel.world.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Breaks the scheduler in each way that is listed and looks whether the world notices; in the same world the scheduler as it is
 * must go well. Takes minutes, so only with
 * {@code -Pgate}; {@code -Dworld.gate.seeds=N} plays so many worlds for each, {@code -Dworld.gate.only=TEXT} takes only
 * those whose names match.
 */
@EnabledIfSystemProperty(named = "world.gate", matches = "true")
class MutationGateTest {
    private static final long SEEDS = Long.getLong("world.gate.seeds", 1_000);
    private static final int AT_ONCE = Integer.getInteger("world.gate.processes", 2);
    private static final Pattern ONLY = Pattern.compile(System.getProperty("world.gate.only", ""));

    /** What the scheduler as it is makes of the worlds in which a broken one went wrong, by their seeds and features. */
    private static final Map<String, Optional<String>> UNBROKEN = new ConcurrentHashMap<>();

    /** @param unbroken what goes wrong there with the scheduler as it is too, which then says nothing of the mutation */
    private record Verdict(Mutation mutation, Optional<String> wrong, Optional<String> unbroken) {
        boolean isCaught() {
            return wrong.isPresent() && unbroken.isEmpty();
        }

        @Override
        public String toString() {
            String[] seedAndHow = wrong.orElse("-\tnothing goes wrong").split("\t", 2);
            return "%-80s %5s  %s%s"
                    .formatted(
                            mutation.name(),
                            seedAndHow[0],
                            seedAndHow[1],
                            unbroken.map(same -> "; and unbroken: " + same).orElse(""));
        }
    }

    @Test
    void theWorldNoticesHoweverTheSchedulerIsBroken(@TempDir Path directory) throws Exception {
        List<Mutation> mutations = Mutations.all().stream()
                .filter(mutation -> ONLY.matcher(mutation.name()).find())
                .toList();
        List<Verdict> verdicts = new ArrayList<>();
        System.out.printf("%-80s %5s  %s%n", "mutation", "seed", "what goes wrong");
        try (ExecutorService processes = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<Verdict>> trials = new ArrayList<>();
            for (Mutation mutation : mutations) {
                Path classes = Files.createDirectory(directory.resolve(Integer.toString(trials.size())));
                trials.add(processes.submit(() -> verdict(mutation, classes)));
            }
            for (Future<Verdict> trial : trials) {
                Verdict verdict = trial.get();
                System.out.println(verdict);
                verdicts.add(verdict);
            }
        }
        assertThat(verdicts)
                .as("mutations that nothing shows in %d worlds", SEEDS)
                .filteredOn(verdict -> !verdict.isCaught())
                .isEmpty();
    }

    private static Verdict verdict(Mutation mutation, Path classes) throws IOException, InterruptedException {
        Optional<String> wrong = new Trial(mutation, classes).firstWrong(SEEDS);
        return new Verdict(mutation, wrong, wrong.flatMap(how -> wrongUnbroken(how, mutation.features())));
    }

    /** A verdict counts where the same world goes well with the scheduler as it is. */
    private static Optional<String> wrongUnbroken(String seedAndHow, String features) {
        String seed = seedAndHow.split("\t", 2)[0];
        return UNBROKEN.computeIfAbsent(seed + " " + features, _ -> {
            try {
                return Trial.wrongUnbroken(Long.parseLong(seed), features);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(hurry);
            }
        });
    }
}
