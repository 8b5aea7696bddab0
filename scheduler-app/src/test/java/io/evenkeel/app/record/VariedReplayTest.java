package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.record.replay.RecordReplay;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.extender.Answer;
import io.evenkeel.plugins.InTreePlugins;
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
 * where something of it is not in the record. {@code -Devenkeel.record.seeds=1000} tries more runs.
 */
class VariedReplayTest {
    private static final int SEEDS = Integer.getInteger("evenkeel.record.seeds", 6);
    private static final int STEPS = 400;

    @TempDir
    private Path directory;

    @Test
    void allOfItIsReplayedToTheSameDecisions() {
        Set<Class<?>> seen = new HashSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Path there = directory.resolve("run" + seed);
            VariedRun run = new VariedRun(seed, there);
            run.play(STEPS);
            RecordReplay replay = replay(there);
            assertThat(replay.lines().getLast()).as("seed %d", seed).startsWith("All as recorded, hash ");
            assertThat(replay.remarks()).isEmpty();
            seen.addAll(run.seen);
        }
        assertThat(seen)
                .containsAll(leaves(Command.class))
                .containsAll(leaves(CommandResult.class))
                .containsAll(leaves(Answer.class));
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
                                "ReplicaSet",
                                "PersistentVolumeClaim",
                                "PersistentVolume",
                                "StorageClass",
                                "CSINode",
                                "CSIStorageCapacity",
                                "PodDisruptionBudget")
                        .map(VariedReplayTest::puts),
                Stream.of(
                                SchedulerEvent.ExtendersAnswered.class,
                                SchedulerEvent.UnreadablePod.class,
                                CommandResult.Written.class,
                                CommandResult.NotWritten.class,
                                CommandResult.NotBound.class,
                                CommandResult.Evicted.class)
                        .map(VariedReplayTest::ofClass));
    }

    private static Predicate<SchedulerEvent> puts(String kind) {
        return new Named("put of " + kind, event -> event instanceof ClusterEvent.Put put
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
                    new VariedRun(seed, there).leavingOut(leftOut).play(STEPS);
                    return !replay(there).isSame();
                }))
                .isTrue();
    }

    private static RecordReplay replay(Path there) {
        return RecordReplay.run(there, Optional.empty(), InTreePlugins.registry(), "test");
    }
}
