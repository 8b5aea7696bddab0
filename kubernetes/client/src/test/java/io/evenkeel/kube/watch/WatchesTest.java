package io.evenkeel.kube.watch;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.OtherMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watches, the transport and an API server together. */
class WatchesTest {
    @TempDir
    Path folder;

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT);
    private final RandomWrites writes = new RandomWrites(cluster, new SplittableRandom(1));

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void bothEncodingsTellTheSame() throws IOException {
        for (Kind<?> kind : Kinds.IN_TREE.all()) {
            cluster.objects().create(WatchedObjects.json(kind.name(), "first", 1));
        }
        ClusterMirror overJson = new ClusterMirror();
        ClusterMirror overProtobuf = new ClusterMirror();
        try (HollowTransport json = new HollowTransport(cluster, folder, true);
                HollowTransport protobuf = new HollowTransport(cluster, folder, false);
                Watches jsonWatches = Watches.start(Kinds.IN_TREE.all(), json, overJson::take, Machine.SYSTEM);
                Watches protobufWatches =
                        Watches.start(Kinds.IN_TREE.all(), protobuf, overProtobuf::take, Machine.SYSTEM)) {
            await().until(() -> WatchedObjects.allSynced(jsonWatches) && WatchedObjects.allSynced(protobufWatches));
            for (int i = 0; i < 200; i++) {
                writes.write();
            }
            // what comes and goes again leaves no trace in the content: this is what tells that all has come
            for (Kind<?> kind : Kinds.IN_TREE.all()) {
                cluster.objects().create(WatchedObjects.json(kind.name(), "last", 1));
            }
            awaitContent(overJson);
            awaitContent(overProtobuf);

            assertThat(overProtobuf.events()).isEqualTo(overJson.events());
            assertThat(json.contentTypes()).containsExactly("application/json");
            assertThat(protobuf.contentTypes()).containsExactly("application/vnd.kubernetes.protobuf;stream=watch");
            assertThat(protobuf.ofCustomResources()).containsExactly("application/json");
            assertThat(protobufWatches.statuses())
                    .allSatisfy(status -> assertThat(status.unreadable()).isZero());
        }
    }

    @Rotated(3)
    @Test
    void closedWatchesLeaveTheServerAndSayNothingMore() throws IOException {
        ClusterMirror mirror = new ClusterMirror();
        try (HollowTransport transport = new HollowTransport(cluster, folder, false)) {
            Watches watches = Watches.start(Kinds.IN_TREE.all(), transport, mirror::take, Machine.SYSTEM);
            await().until(() -> WatchedObjects.allSynced(watches));

            watches.close();
            Map<String, List<SchedulerEvent>> before = mirror.events();
            for (int i = 0; i < 20; i++) {
                writes.write();
            }
            // a server notices that nobody listens when it writes the next time
            await().untilAsserted(() -> {
                for (Kind<?> kind : Kinds.IN_TREE.all()) {
                    cluster.objects().create(WatchedObjects.json(kind.name(), "late" + System.nanoTime(), 1));
                }
                assertThat(cluster.openWatches()).isZero();
            });

            assertThat(mirror.events()).isEqualTo(before);
        }
    }

    @Test
    void watchesOfAServerThatIsAwayCloseToo() throws IOException {
        cluster.stopServer();
        try (HollowTransport transport = new HollowTransport(cluster, folder, false)) {
            Watches watches = Watches.start(Kinds.IN_TREE.all(), transport, _ -> {}, Machine.SYSTEM);
            await().until(() -> watches.statuses().stream().allMatch(status -> status.errors() > 0));

            watches.close();

            assertThat(WatchedObjects.allSynced(watches)).isFalse();
        }
    }

    @Test
    void whoIsToldThatTheServerAnswersWaitsNoLonger() throws IOException {
        cluster.stopServer();
        Machine patient = new OtherMachine() {
            @Override
            public Sleeper sleeper() {
                Sleeper light = Sleeper.light();
                return new Sleeper() {
                    @Override
                    public void sleep(long nanos) throws InterruptedException {
                        light.sleep(Long.MAX_VALUE);
                    }

                    @Override
                    public void wake() {
                        light.wake();
                    }
                };
            }
        };
        try (HollowTransport transport = new HollowTransport(cluster, folder, false);
                Watches watches = Watches.start(Kinds.IN_TREE.all(), transport, _ -> {}, patient)) {
            await().until(() -> watches.statuses().stream().allMatch(status -> status.errors() > 0));
            cluster.restartServer();
            await().until(() -> {
                watches.hurry();
                return WatchedObjects.allSynced(watches);
            });
        }
    }

    private void awaitContent(ClusterMirror mirror) {
        await().untilAsserted(() -> assertThat(mirror.objects()).isEqualTo(ClusterMirror.contentOf(cluster)));
    }
}
