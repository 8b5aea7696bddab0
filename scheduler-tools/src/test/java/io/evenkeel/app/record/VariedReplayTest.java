package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.rerun.RecordReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever has a say in where pods go, and whenever it says it: a replay decides the same, in whichever process, and notices
 * where something of it is not in the record. {@code -Devenkeel.record.seeds=1000} tries more runs, {@code
 * -Devenkeel.record.processes=20} more of them in other processes.
 */
@Rotated(3)
class VariedReplayTest {
    private static final int SEEDS = Integer.getInteger("evenkeel.record.seeds", 6);
    private static final int PROCESSES = Integer.getInteger("evenkeel.record.processes", 1);
    private static final int STEPS = 300;

    @TempDir
    private Path directory;

    @Test
    void allOfItIsReplayedToTheSameDecisions() {
        Set<Class<?>> wanted = new HashSet<>(leaves(Command.class));
        wanted.addAll(leaves(CommandResult.class));
        wanted.addAll(leaves(Answer.class));
        Set<Class<?>> seen = new HashSet<>();
        for (long seed = 1; seed <= SEEDS || (seed <= 8 * SEEDS && !seen.containsAll(wanted)); seed++) {
            Path there = directory.resolve("run" + seed);
            VariedRun run = new VariedRun(seed, there);
            run.play(STEPS);
            assertThat(run.told()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(run.known());
            RecordReplay replay = replay(there);
            assertThat(replay.lines().getLast()).as("seed %d", seed).startsWith("All as recorded, hash ");
            assertThat(replay.remarks()).isEmpty();
            seen.addAll(run.seen);
        }
        assertThat(seen).containsAll(wanted);
    }

    @Test
    void anotherProcessReplaysItToTheSameDecisions() throws IOException, InterruptedException {
        for (long seed = 1; seed <= PROCESSES; seed++) {
            Path there = directory.resolve("run" + seed);
            new VariedRun(seed, there).play(STEPS);
            assertThat(OtherProcess.replay(there))
                    .as("seed %d", seed)
                    .startsWith("All as recorded, hash ")
                    .isEqualTo(replay(there).lines().getLast());
        }
    }

    private static Set<Class<?>> leaves(Class<?> sealed) {
        Set<Class<?>> leaves = new HashSet<>();
        for (Class<?> permitted : sealed.getPermittedSubclasses()) {
            leaves.addAll(permitted.isSealed() ? leaves(permitted) : Set.of(permitted));
        }
        return leaves;
    }

    static Stream<Predicate<SchedulerEvent>> needed() {
        return Stream.concat(
                Stream.of(
                                "PodGroup",
                                "PodGroup.scheduling.x-k8s.io",
                                "PersistentVolumeClaim",
                                "PersistentVolume",
                                "StorageClass")
                        .map(VariedReplayTest::puts),
                Stream.of(
                                SchedulerEvent.ExtendersAnswered.class,
                                CommandResult.Written.class,
                                CommandResult.Evicted.class)
                        .map(VariedReplayTest::ofClass));
    }

    private static Predicate<SchedulerEvent> puts(String kind) {
        return new Named(
                "put of " + kind,
                event -> event instanceof ClusterEvent.Put put
                        && put.object().kindName().equals(kind));
    }

    private static Predicate<SchedulerEvent> ofClass(Class<?> sort) {
        return new Named(sort.getSimpleName(), sort::isInstance);
    }

    private record Named(String name, Predicate<SchedulerEvent> test) implements Predicate<SchedulerEvent> {
        @Override
        public boolean test(SchedulerEvent event) {
            return test.test(event);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("needed")
    void withoutAnyOfItTheReplayDiffers(Predicate<SchedulerEvent> leftOut) {
        assertThat(LongStream.rangeClosed(1, 20).anyMatch(seed -> {
                    Path there = directory.resolve("run" + seed);
                    new VariedRun(seed, there).leavingOut(leftOut).play(STEPS / 2);
                    return !replay(there).isSame();
                }))
                .isTrue();
    }

    private static RecordReplay replay(Path there) {
        return RecordReplay.run(there, Optional.empty(), InTreePlugins.registry(), "test");
    }
}
