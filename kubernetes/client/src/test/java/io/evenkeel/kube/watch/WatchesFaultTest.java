package io.evenkeel.kube.watch;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.Faults;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random writes while the server does all that real servers do to their clients: it closes, forgets, restarts, refuses,
 * breaks off, dawdles and repeats itself. Whenever it behaves for a while, the events come to what it holds. Events that a
 * server loses silently are left out: no client can know of them.
 */
@Rotated(3)
class WatchesFaultTest {
    private static final int ROUNDS = Integer.getInteger("evenkeel.rounds", 6);
    private static final int WRITES = 60;

    @TempDir
    Path folder;

    @ParameterizedTest(name = "seed {0}, watch list {1}, JSON only {2}")
    @CsvSource({"1,true,false", "2,true,true", "3,false,false", "4,false,true"})
    void theEventsComeToWhatTheServerHolds(long defaultSeed, boolean watchList, boolean jsonOnly) throws IOException {
        long seed = Long.getLong("evenkeel.seed", defaultSeed);
        SplittableRandom random = new SplittableRandom(seed);
        HollowOptions options =
                HollowOptions.DEFAULT.withSeed(seed).rememberingChanges(50).bookmarksEvery(Duration.ofMillis(20));
        ClusterMirror mirror = new ClusterMirror();
        try (HollowCluster cluster = HollowCluster.start(watchList ? options : options.withoutWatchList());
                HollowTransport transport = new HollowTransport(cluster, folder, jsonOnly);
                Watches watches = Watches.start(
                        Kinds.IN_TREE.all(),
                        transport,
                        mirror::take,
                        new FakeMachine(Clocks.SYSTEM, new HastySleeper()))) {
            RandomWrites writes = new RandomWrites(cluster, random);
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < WRITES; i++) {
                    writes.write();
                    if (random.nextInt(5) == 0) {
                        trouble(cluster, random);
                    }
                }
                cluster.faults().clear();
                await().untilAsserted(() -> assertThat(mirror.differencesTo(ClusterMirror.contentOf(cluster)))
                        .as(() -> watches.statuses().toString())
                        .isEmpty());
            }

            assertThat(WatchedObjects.allSynced(watches)).isTrue();
            assertThat(watches.statuses())
                    .allSatisfy(status -> assertThat(status.unreadable()).isZero())
                    .anySatisfy(status -> assertThat(status.relists()).isGreaterThan(1));
            assertThat(transport.contentTypes())
                    .isNotEmpty()
                    .allMatch(type -> type.contains(jsonOnly ? "json" : "protobuf"));
        }
    }

    private static void trouble(HollowCluster cluster, RandomGenerator random) {
        Faults faults = cluster.faults();
        int times = 1 + random.nextInt(3);
        switch (random.nextInt(9)) {
            case 0 -> cluster.closeWatches();
            case 1 -> {
                cluster.compact();
                cluster.closeWatches();
            }
            case 2 -> cluster.restartServer();
            case 3 -> faults.watchEvents(0, 0.2);
            case 4 -> faults.latency(Duration.ofMillis(random.nextInt(3)));
            case 5 -> faults.refuseNext(times, RequestMatch.ANY, random.nextBoolean() ? 429 : 503, 0);
            case 6 -> faults.dropNextRequests(times, RequestMatch.ANY);
            case 7 -> faults.breakNextConnections(times, RequestMatch.ANY);
            default -> faults.dropNextAnswers(times, RequestMatch.ANY);
        }
    }
}
