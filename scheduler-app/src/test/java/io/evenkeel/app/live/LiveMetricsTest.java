package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.app.metrics.MetricsLint;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveMetricsTest {
    private final LiveMetrics metrics = new LiveMetrics("evenkeel", "1.0", FeatureGates.DEFAULTS, ShownMetrics.ALL);
    private final DrivenScheduler scheduler = new DrivenScheduler(
            new ScriptedTransport(_ -> Answers.of(500, "")), LiveObservers.of(metrics, List.of()), false);
    private final MetricsEndpoint endpoint = metrics.of(scheduler.live(), List.of(), false);

    @AfterEach
    void close() {
        endpoint.close();
        scheduler.close();
    }

    @Test
    void untilTheClusterIsKnownTheReplicaIsNotReady() {
        assertThat(scrape()).contains("evenkeel_ready 0.0\n");
    }

    @Test
    void whatTheEngineKnowsIsServed() {
        twoPodsOfWhichOneFits();

        assertThat(scrape())
                .contains("evenkeel_ready 1.0\n")
                .contains("evenkeel_engine_answers 1.0\n")
                .contains("scheduler_cache_size{type=\"nodes\"} 1.0\n")
                .contains("scheduler_cache_size{type=\"assumed_pods\"} 1.0\n")
                .contains("scheduler_pending_pods{queue=\"unschedulable\"} 1.0\n")
                .contains(
                        "scheduler_unschedulable_pods{plugin=\"NodeResourcesFit\",profile=\"default-scheduler\"} 1.0\n")
                .contains("leader_election_master_status{name=\"evenkeel\"} 1.0\n")
                .contains("scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"unschedulable\"}"
                        + " 1.0\n");
    }

    @Test
    void devicesAreCountedWhereThereAreSome() {
        scheduler.leads(NodeBuilder.node("n1").build());
        scheduler.settle();
        assertThat(scrape()).doesNotContain("evenkeel_device");

        scheduler.put(new ObjectReader().read("""
                {"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"s","uid":"s"},
                "spec":{"driver":"gpu.example.com","nodeName":"n1","pool":{"name":"n1","generation":1,"resourceSliceCount":1},
                "devices":[{"name":"gpu-0"},{"name":"gpu-1","taints":[{"key":"k","effect":"NoSchedule"}]}]}}"""));
        scheduler.settle();
        assertThat(scrape())
                .contains("evenkeel_devices{class=\"\",driver=\"gpu.example.com\",state=\"free\"} 1.0\n")
                .contains("evenkeel_devices{class=\"\",driver=\"gpu.example.com\",state=\"tainted\"} 1.0\n")
                .contains("evenkeel_devices{class=\"\",driver=\"gpu.example.com\",state=\"allocated\"} 0.0\n")
                .contains("evenkeel_devices_left_out 0.0\n");
        assertThat(MetricsLint.problems(scrape())).isEmpty();
    }

    /** Whoever asks an engine that hangs waits for two seconds; one that has ended says so at once. */
    @Test
    void ofAnEngineThatHasEndedTheLastReadingsAreServedAtOnce() {
        twoPodsOfWhichOneFits();
        scrape();
        scheduler.fail();
        await().until(() -> !scheduler.live().loop().isAlive());

        assertThat(scheduler.live().ask(_ -> "")).isDone();
        assertThat(scrape())
                .contains("evenkeel_engine_answers 0.0\n")
                .contains("scheduler_pending_pods{queue=\"unschedulable\"} 1.0\n");
    }

    /** Prometheus refuses a second line of either for one name, whoever of the two that tell of the process wrote it. */
    @Test
    void eachMetricIsDescribedOnceAheadOfItsSeries() {
        Set<String> described = new HashSet<>();
        String current = "";
        for (String line : scrape().lines().toList()) {
            if (line.startsWith("# HELP ")) {
                current = line.split(" ", 4)[2];
                assertThat(described.add(current)).as(line).isTrue();
            } else if (line.startsWith("# TYPE ")) {
                assertThat(line).startsWith("# TYPE " + current + " ");
            } else {
                assertThat(line).startsWith(current);
            }
        }
        assertThat(described).contains("process_cpu_seconds_total", "jvm_memory_used_bytes", "evenkeel_ready");
    }

    @Test
    void ourOwnMetricsAreAsPrometheusWantsThem() {
        twoPodsOfWhichOneFits();
        metrics.engine().groups();

        assertThat(scrape()).contains("evenkeel_groups_total", "evenkeel_spread_constraints_left_out");
        assertThat(MetricsLint.problems(scrape())).isEmpty();
    }

    @Test
    void theProcessBeganWhenTheSystemSaysThatItDid() {
        double began = scrape().lines()
                .filter(line -> line.startsWith("process_start_time_seconds "))
                .mapToDouble(line -> Double.parseDouble(line.split(" ", 2)[1]))
                .findFirst()
                .orElseThrow();

        // the system counts from its boot, whose time moves when its clock is set
        double told =
                ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli() / 1e3;
        assertThat(began).isCloseTo(told, within(60.0));
    }

    private void twoPodsOfWhichOneFits() {
        scheduler.leads(
                NodeBuilder.node("n1")
                        .allocatable("cpu", "2")
                        .allocatable("pods", "10")
                        .build(),
                PodBuilder.pod("small").uid("small-1").container("cpu", "1").build(),
                PodBuilder.pod("large").uid("large-1").container("cpu", "3").build());
        scheduler.settle();
    }

    private String scrape() {
        return new String(
                endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()))
                        .body(),
                StandardCharsets.UTF_8);
    }
}
