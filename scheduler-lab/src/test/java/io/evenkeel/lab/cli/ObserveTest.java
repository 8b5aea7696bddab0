package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.app.metrics.MetricsLint;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.observe.SpreadObserver;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Observing a cluster whose pods somebody else binds, as a user who may read and no more. */
class ObserveTest {
    private static final String READER = "reader";
    private static final Set<String> READING = Set.of("get", "list", "watch");

    private final HollowCluster cluster = HollowCluster.start();

    @TempDir
    private Path folder;

    private Path kubeconfig = Path.of("");

    @BeforeEach
    void aReaderOfAClusterOfThreeZones() throws IOException {
        cluster.tokens().add("reader-token", User.named(READER));
        cluster.authorize((user, asked) -> !user.name().equals(READER) || READING.contains(asked.verb()));
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig(READER, "reader-token"));
        for (String zone : List.of("a", "b", "c")) {
            cluster.objects().create("""
                    {"kind":"Node","apiVersion":"v1","metadata":{"name":"node-%1$s",
                     "labels":{"kubernetes.io/hostname":"node-%1$s","topology.kubernetes.io/zone":"%1$s"}},
                     "status":{"allocatable":{"cpu":"8","memory":"16Gi","pods":"50"}}}
                    """.formatted(zone));
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void pod(String app, int number, String constraint) {
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%1$s-%2$d","namespace":"default",
                 "labels":{"app":"%1$s","pod-template-hash":"5d9f"},
                 "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"%1$s-5d9f","uid":"u-%1$s",
                 "controller":true}]},
                 "spec":{"schedulerName":"volcano","topologySpreadConstraints":[{"maxSkew":1,%3$s}],
                 "containers":[{"name":"main","image":"example.com/main:1","resources":{"requests":{"cpu":"1"}}}]}}
                """.formatted(app, number, constraint));
    }

    private static String zones(String app) {
        return """
                "topologyKey":"topology.kubernetes.io/zone","whenUnsatisfiable":"ScheduleAnyway",
                "labelSelector":{"matchLabels":{"app":"%s"}}
                """.formatted(app);
    }

    private void unevenly() {
        for (int i = 1; i <= 4; i++) {
            pod("web", i, zones("web"));
            cluster.objects().bind("default", "web-" + i, i == 4 ? "node-b" : "node-a");
        }
        pod("racked", 1, """
                "topologyKey":"example.com/rack","whenUnsatisfiable":"DoNotSchedule",
                "labelSelector":{"matchLabels":{"app":"racked"}},"matchLabelKeys":["pod-template-hash"]
                """);
    }

    private void assertNothingWasWritten(long before) {
        assertThat(cluster.version()).isEqualTo(before);
        assertThat(cluster.requestLog().requests())
                .filteredOn(request -> request.user().equals(READER))
                .isNotEmpty()
                .extracting(LoggedRequest::method)
                .containsOnly("GET");
    }

    private Typed once(String... more) {
        String[] all = new String[more.length + 4];
        System.arraycopy(new String[] {"observe", "--once", "--kubeconfig", kubeconfig.toString()}, 0, all, 0, 4);
        System.arraycopy(more, 0, all, 4, more.length);
        return Typed.evenkeel(all);
    }

    @Test
    void onceItSaysWhatIsViolatedAndWhatIsAMistake() {
        unevenly();
        long before = cluster.version();

        Typed typed = once();

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out()).isEqualTo("""
                2 workloads with 2 spread constraints: 1 violated, 1 mistake
                Of the last 4 bindings of pods with spread constraints, 3 would go to a node
                that spreads them better now, each tried by itself: 3 of Deployment default/web

                Deployment default/web, topology.kubernetes.io/zone ScheduleAnyway: skew 3,
                allowed 1; 1 of 3 domains too full
                  a=3 b=1 c=0

                Deployment default/racked, example.com/rack DoNotSchedule: no node has the label
                example.com/rack, so its pods fit on none (key-on-no-node)
                  → label the nodes, or name a key that they have
                """);
        assertNothingWasWritten(before);
    }

    @Test
    void theSameAsJson() {
        unevenly();

        assertThat(once("-o", "json").out())
                .isEqualTo("{\"version\":1,\"workloads\":2,\"constraints\":2,\"podsWithoutController\":0,\"violated\":["
                        + "{\"namespace\":\"default\",\"kind\":\"Deployment\",\"name\":\"web\",\"topologyKey\":"
                        + "\"topology.kubernetes.io/zone\",\"whenUnsatisfiable\":\"ScheduleAnyway\",\"byDefault\":false,\"skew\":3,\"allowed\":1,"
                        + "\"violatingDomains\":1,\"domains\":[{\"value\":\"a\",\"pods\":3},{\"value\":\"b\",\"pods\":1},"
                        + "{\"value\":\"c\",\"pods\":0}]}],\"findings\":[{\"lint\":\"key-on-no-node\",\"namespace\":\"default\","
                        + "\"kind\":\"Deployment\",\"name\":\"racked\",\"topologyKey\":\"example.com/rack\","
                        + "\"whenUnsatisfiable\":\"DoNotSchedule\",\"wrong\":\"no node has the label example.com/rack, so its"
                        + " pods fit on none\",\"remedy\":\"label the nodes, or name a key that they have\"}],"
                        + "\"bindings\":{\"tried\":4,\"better\":["
                        + "{\"pod\":\"default/web-1\",\"node\":\"node-a\",\"instead\":\"node-c\"},"
                        + "{\"pod\":\"default/web-2\",\"node\":\"node-a\",\"instead\":\"node-c\"},"
                        + "{\"pod\":\"default/web-3\",\"node\":\"node-a\",\"instead\":\"node-c\"}]}}\n");
    }

    @Test
    void onceTakesALevel() {
        Typed report = once("--emulated-version=1.37");

        assertThat(report.err()).isEmpty();
        assertThat(report.exitCode()).isZero();
    }

    @Test
    void whatHasNoEffectWithOrWithoutOnceIsRefused() {
        assertThat(Typed.evenkeel("observe", "-o", "json").exitCode()).isEqualTo(2);
        assertThat(once("--secure-port=0").err()).contains("--secure-port has no effect with --once");
        assertThat(once("--settle=5s").exitCode()).isEqualTo(2);
    }

    @Test
    void allTheTimeItShowsTheSkewAndWhatItWouldHaveDecided() throws InterruptedException {
        pod("web", 1, zones("web"));
        pod("web", 2, zones("web"));
        SpreadObserver observer = new SpreadObserver(
                UsualProfiles.CONFIGURATION, new Times(System::nanoTime, InstantSource.system(), Duration.ZERO));
        try (HttpTransport transport =
                        HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
                LiveScheduler live = LiveScheduler.assemble(
                        UsualProfiles.CONFIGURATION,
                        transport,
                        LiveOptions.observing("observer", InTreePlugins.registry()),
                        LiveObservers.NONE.with(List.of(observer)))) {
            live.begin();
            await(live::isSynced);
            cluster.objects().bind("default", "web-1", "node-a");
            cluster.objects().bind("default", "web-2", "node-a");
            await(() -> value(observer, "evenkeel_spread_skew", "Deployment/web") == 2);
            long before = cluster.version();

            assertThat(value(observer, "evenkeel_spread_allowed_skew", "Deployment/web"))
                    .isEqualTo(1);
            assertThat(value(observer, "evenkeel_spread_violating_domains", "Deployment/web"))
                    .isEqualTo(1);
            assertThat(value(observer, "evenkeel_observed_placements_total", "best"))
                    .isEqualTo(1);
            assertThat(value(observer, "evenkeel_observed_placements_total", "lower_score"))
                    .isEqualTo(1);
            assertThat(live.isLeading()).isFalse();
            assertNothingWasWritten(before);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        while (!condition.getAsBoolean()) {
            assertThat(never.await(10, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    /** Of the series that has this among the values of its labels; -1 where there is none. */
    private static int value(SpreadObserver observer, String metric, String label) {
        try (MetricsEndpoint endpoint = MetricsEndpoint.of(List.of(observer.metrics()))) {
            Request request = new Request("GET", "/metrics", Map.of(), new Headers());
            String scrape = new String(endpoint.answer(request).body(), StandardCharsets.UTF_8);
            assertThat(MetricsLint.problems(scrape)).isEmpty();
            return scrape.lines()
                    .filter(line -> line.startsWith(metric + "{") && line.contains("=\"" + label + "\""))
                    .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .findFirst()
                    .orElse(-1);
        }
    }
}
