package io.evenkeel.kube.watch;

import static io.evenkeel.kube.watch.FakeAnswer.json;
import static io.evenkeel.kube.watch.FakeAnswer.ok;
import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.watch.Watch.WatchLog;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that has no such resource, be it that it is too old or that nobody has installed it. */
class AbsentKindTest {
    private static final FakeAnswer ANSWERED_PLAINLY = json(404, "404 page not found");
    private static final String NOT_FOUND = "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404,"
            + "\"message\":\"the server could not find the requested resource\"}";
    private static final String GROUP = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"PodGroup\",\"metadata\":{\"name\":"
            + "\"g\",\"namespace\":\"ns\",\"resourceVersion\":\"3\"},\"spec\":{\"minMember\":2}}}\n";
    private static final String ALL_SENT = "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"5\","
            + "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n";

    @TempDir
    private Path folder;

    private final ScriptedServer server = new ScriptedServer();
    private final List<String> seen = new ArrayList<>();

    private Watch watch(Kind<?> kind) {
        return new Watch(
                kind, server, new ObjectReader(), event -> seen.add(describe(event)), new FakeTime().machine());
    }

    @Test
    void thatItIsAbsentMeansThereAreNone() {
        Watch watch = watch(Kinds.COSCHEDULING_POD_GROUP);
        server.then(json(404, NOT_FOUND)).then(ANSWERED_PLAINLY).then(json(404, NOT_FOUND));
        try (LogLines log = new LogLines(WatchLog.class)) {
            for (int i = 0; i < 3; i++) {
                assertThat(watch.step()).isEqualTo(Duration.ofSeconds(30));
            }

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("INFO Kind is absent at the server")
                    .contains(
                            "PodGroup.scheduling.x-k8s.io",
                            "apiVersion=\"scheduling.x-k8s.io/v1alpha1\"",
                            "could not find the requested resource");
        }
        assertThat(seen).containsExactly("began", "ended");
        assertThat(watch.status()).satisfies(status -> {
            assertThat(status.synced()).isTrue();
            assertThat(status.absent()).isTrue();
            assertThat(status.errors()).isZero();
            assertThat(status.relists()).isEqualTo(1);
            assertThat(status.problem()).isEmpty();
        });
    }

    @Test
    void oneThatIsInstalledLaterIsRead() {
        Watch watch = watch(Kinds.COSCHEDULING_POD_GROUP);
        server.then(json(404, NOT_FOUND)).then(ok(GROUP, ALL_SENT));
        try (LogLines log = new LogLines(WatchLog.class)) {
            watch.step();
            assertThat(watch.step()).isZero();
            assertThat(log.lines()).last().asString().startsWith("INFO Watch recovered");
        }

        assertThat(seen).containsExactly("began", "ended", "began", "put PodGroup.scheduling.x-k8s.io ns/g", "ended");
        assertThat(watch.status().absent()).isFalse();
        assertThat(watch.status().relists()).isEqualTo(2);
    }

    /** Only a list says that nothing is there: a stream may end in a 404 while the server restarts. */
    @Test
    void oneThatIsTakenAwayIsGoneWithAllItsObjects() {
        Watch watch = watch(Kinds.COSCHEDULING_POD_GROUP);
        server.then(ok(GROUP, ALL_SENT)).then(json(404, NOT_FOUND)).then(json(404, NOT_FOUND));
        watch.step();
        seen.clear();
        assertThat(watch.step()).isLessThan(Duration.ofSeconds(2));
        assertThat(seen).isEmpty();
        assertThat(watch.step()).isEqualTo(Duration.ofSeconds(30));

        assertThat(seen).containsExactly("began", "ended");
        assertThat(server.asked).last().asString().contains("sendInitialEvents");
    }

    /** Of devices nobody may think that all are free because one server does not know of claims. */
    @Test
    void oneOfKubernetesItselfIsNotTakenAwayWithItsObjects() {
        Watch watch = watch(Kinds.RESOURCE_CLAIM);
        String claim = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"ResourceClaim\",\"apiVersion\":"
                + "\"resource.k8s.io/v1\",\"metadata\":{\"name\":\"c\",\"namespace\":\"ns\",\"resourceVersion\":\"3\"}}}\n";
        server.then(ok(claim, ALL_SENT));
        for (int i = 0; i < 4; i++) {
            server.then(json(404, NOT_FOUND));
        }
        for (int i = 0; i < 5; i++) {
            assertThat(watch.step()).isLessThan(Duration.ofSeconds(10));
        }

        assertThat(seen).containsExactly("began", "put ResourceClaim ns/c", "ended");
        assertThat(watch.status().absent()).isFalse();
    }

    @Test
    void oneThatAServerHasInAnOlderVersionIsReadInThat() {
        Watch watch = watch(Kinds.DEVICE_TAINT_RULE);
        String rule = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"DeviceTaintRule\","
                + "\"apiVersion\":\"resource.k8s.io/v1alpha3\",\"metadata\":{\"name\":\"r\"}}}\n";
        server.then(json(404, NOT_FOUND)).then(json(404, NOT_FOUND)).then(ok(rule, ALL_SENT));
        for (int i = 0; i < 3; i++) {
            assertThat(watch.step()).isZero();
        }

        assertThat(server.asked)
                .extracting(path -> path.replaceAll("[?].*", ""))
                .containsExactly(
                        "/apis/resource.k8s.io/v1/devicetaintrules",
                        "/apis/resource.k8s.io/v1beta2/devicetaintrules",
                        "/apis/resource.k8s.io/v1alpha3/devicetaintrules");
        assertThat(seen).containsExactly("began", "put DeviceTaintRule r", "ended");
        assertThat(watch.status().absent()).isFalse();
    }

    /** A list says its version once, for all of its items. */
    @Test
    void whatLooksOtherwiseInAnOlderVersionIsReadAsItLooks() {
        List<KubernetesObject> read = new ArrayList<>();
        Watch watch = new Watch(
                Kinds.RESOURCE_SLICE,
                server,
                new ObjectReader(),
                event -> {
                    if (event instanceof ClusterEvent.Put put) {
                        read.add(put.object());
                    }
                },
                new FakeTime().machine());
        server.then(json(404, NOT_FOUND))
                .then(json(404, NOT_FOUND))
                .then(json(422, "{}"))
                .then(ok("""
                {"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/v1beta1","metadata":{"resourceVersion":"5"},
                 "items":[{"metadata":{"name":"s"},"spec":{"devices":[{"name":"gpu-0","basic":{"bindsToNode":true}}]}}]}"""));
        try (LogLines log = new LogLines(WatchLog.class)) {
            for (int i = 0; i < 4; i++) {
                watch.step();
            }

            assertThat(log.lines())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("INFO Kind is read in an older version")
                            .contains("kind=\"ResourceSlice\"", "apiVersion=\"resource.k8s.io/v1beta1\""));
        }
        assertThat(read)
                .singleElement()
                .isInstanceOfSatisfying(
                        ResourceSlice.class,
                        slice -> assertThat(slice.devices())
                                .singleElement()
                                .satisfies(device -> assertThat(device.name() + device.bindsToNode())
                                        .isEqualTo("gpu-0true")));
    }

    @Test
    void oneThatIsInNoVersionIsAbsentAndLookedForInAll() {
        Watch watch = watch(Kinds.DEVICE_TAINT_RULE);
        for (int i = 0; i < 9; i++) {
            server.then(json(404, NOT_FOUND));
        }

        assertThat(List.of(watch.step(), watch.step())).containsOnly(Duration.ZERO);
        assertThat(watch.step()).as("it is asked again before that is believed").isLessThan(Duration.ofSeconds(1));
        assertThat(seen).isEmpty();
        assertThat(List.of(watch.step(), watch.step(), watch.step()))
                .containsExactly(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));
        assertThat(seen).containsExactly("began", "ended");
        assertThat(List.of(watch.step(), watch.step(), watch.step()))
                .containsExactly(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));
        assertThat(server.asked).last().asString().contains("/v1alpha3/");
    }

    /** Of a server that has a kind in one version the others say 404 as well. */
    @Test
    void oneWrongAnswerDoesNotMakeItAbsent() {
        Watch watch = watch(Kinds.RESOURCE_CLAIM);
        for (int i = 0; i < 3; i++) {
            server.then(ANSWERED_PLAINLY);
        }
        server.then(ok(ALL_SENT));
        for (int i = 0; i < 4; i++) {
            assertThat(watch.step()).isLessThan(Duration.ofSeconds(1));
        }

        assertThat(seen).containsExactly("began", "ended");
        assertThat(watch.status().absent()).isFalse();
        assertThat(server.asked).last().asString().contains("/v1/");
    }

    /** A server that cannot stream everything says so by another code before it says that it has none. */
    @Test
    void aListIsAsGoodAsAStream() {
        Watch watch = watch(Kinds.POD_GROUP);
        server.then(json(422, "{}")).then(json(404, NOT_FOUND)).then(json(404, NOT_FOUND));
        assertThat(watch.step()).isZero();
        assertThat(watch.step()).isLessThan(Duration.ofSeconds(1));
        assertThat(watch.step()).isEqualTo(Duration.ofSeconds(30));

        assertThat(server.asked.getLast()).startsWith("/apis/scheduling.k8s.io/v1beta1/podgroups?limit=500");
        assertThat(seen).startsWith("began").endsWith("began", "ended");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 500, 503})
    void anyOtherRefusalIsOne(int code) {
        Watch watch = watch(Kinds.POD_GROUP);
        server.then(json(code, "{}"));
        watch.step();

        assertThat(seen).isEmpty();
        assertThat(watch.status().synced()).isFalse();
        assertThat(watch.status().errors()).isEqualTo(1);
    }

    @Test
    void aKindThatEveryServerHasIsAwaited() {
        Watch watch = watch(Kinds.SERVICE);
        server.then(json(404, NOT_FOUND)).then(json(404, NOT_FOUND));
        watch.step();
        watch.step();

        assertThat(seen).containsExactly("began");
        assertThat(watch.status().synced()).isFalse();
        assertThat(watch.status().absent()).isFalse();
    }

    /** All of it together: the scheduler need not wait, and finds the resource once it is there. */
    @Test
    void aClusterWithoutItIsKnownAndOneThatGetsItToo() throws IOException {
        ClusterMirror mirror = new ClusterMirror();
        try (HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT);
                HollowTransport transport = new HollowTransport(cluster, folder, false)) {
            cluster.objects().create(WatchedObjects.json(Kinds.COSCHEDULING_POD_GROUP.name(), "g", 1));
            cluster.faults()
                    .refuseNext(
                            Integer.MAX_VALUE, new RequestMatch("*", Kinds.COSCHEDULING_POD_GROUP.plural()), 404, 0);
            try (Watches watches = Watches.start(
                    Kinds.IN_TREE.all(), transport, mirror::take, new FakeMachine(Clocks.SYSTEM, new HastySleeper()))) {
                await().until(() -> WatchedObjects.allSynced(watches));
                assertThat(watches.statuses())
                        .filteredOn(WatchStatus::absent)
                        .extracting(WatchStatus::kind)
                        .containsExactly("PodGroup", "PodGroup.scheduling.x-k8s.io");

                cluster.faults().clear();
                await().untilAsserted(() -> assertThat(mirror.objects()).isEqualTo(ClusterMirror.contentOf(cluster)));
            }
        }
    }

    private static String describe(SchedulerEvent event) {
        return switch (event) {
            case Relist.Began _ -> "began";
            case Relist.Ended _ -> "ended";
            case ClusterEvent.Put put ->
                "put " + put.object().kindName() + " " + put.object().meta().key();
            default -> event.toString();
        };
    }
}
