package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.Status.Code;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.metrics.LiveMetrics.ApiMetrics;
import io.evenkeel.app.metrics.LiveMetrics.DispatcherMetrics;
import io.evenkeel.app.metrics.LiveMetrics.EngineGauges;
import io.evenkeel.app.metrics.LiveMetrics.ProcessMetrics;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.cluster.SpreadSkews;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.SchedulerObserver.AttemptResult;
import io.evenkeel.framework.run.ProfileObserver;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.evenkeel.kube.dispatch.CommandKind;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.DeviceCounts;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueCounts.Rejected;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetricsContractTest {
    /** What the document says is not there, and why. */
    private static final Set<String> NOT_SERVED = notServed();

    private final EngineMetrics engine = new EngineMetrics(() -> 0, FeatureGates.DEFAULTS);
    private final ApiMetrics api = new ApiMetrics();
    private final DispatcherMetrics dispatcher = new DispatcherMetrics(() -> new DispatcherView(Map.of(), Map.of(), 0));
    private final ProcessMetrics process = new ProcessMetrics(() -> 3, () -> true, () -> true, "kube-scheduler");
    private Optional<EngineGauges.Readings> readings = Optional.of(new EngineGauges.Readings(
            new QueueCounts(1, 5, 2, 3, 4, 5, List.of(new Rejected("default-scheduler", "NodeResourcesFit", 3))),
            1,
            4,
            10,
            20,
            Optional.of(new SpreadSkews.Worst(
                    List.of(new SpreadSkews.Spread("shop", "zone", "app=web", true, 1, 3, 3, 1)), 7)),
            new DeviceCounts(
                    List.of(new DeviceCounts.Row("gpu.example.com", "gpu", Map.of(DeviceCounts.State.FREE, 6))),
                    2,
                    List.of(new DeviceCounts.Partitioned("gpu.example.com", 3, 1, 2)))));
    private final EngineGauges gauges = new EngineGauges(() -> readings, FeatureGates.DEFAULTS);
    private final List<Instruments> all = List.of(engine, api, dispatcher, process, gauges);

    MetricsContractTest() {
        engine.attempted("default-scheduler", AttemptResult.SCHEDULED, 1_500_000);
        engine.decided(1_000_000);
        engine.scheduled(PodBuilder.pod("p").build(), 40, 30_000_000);
        engine.handled("NodeAdd", 20_000);
        engine.preemptionTried();
        engine.preempting(3);
        engine.preempted(true, 40_000_000);
        ProfileObserver profile = engine.profile("default-scheduler");
        Stopwatch stopwatch = profile.at(MeasuredPoint.PRE_FILTER, List.of(() -> "NodeResourcesFit"));
        stopwatch.lap(0, Code.SUCCESS, stopwatch.start());
        stopwatch.stop(Code.SUCCESS, 0);
        engine.queue().incoming("active", "PodAdd");
        engine.queue().hintRan("NodeResourcesFit", "AssignedPodDelete", true, 12_000);
        dispatcher.called(CommandKind.BIND, true, Duration.ofMillis(3));
        api.heldBack("POST", "10.0.0.1:6443", 700_000_000);
        api.requested("POST", "10.0.0.1:6443", "201", 3_000_000);
        api.sent("POST", "10.0.0.1:6443", 700);
        api.received("POST", "10.0.0.1:6443", 700);
    }

    @Test
    void everyMetricOfTheReferenceIsServedOrSaidNotToBe() {
        Set<String> expected = new TreeSet<>(Contract.read().keySet());
        assertThat(expected).hasSize(30);
        expected.removeAll(NOT_SERVED);

        Set<String> served = read().map(MetricsContractTest::nameOf).collect(Collectors.toSet());
        assertThat(served).containsAll(expected).doesNotContainAnyElementsOf(NOT_SERVED);
        assertThat(NOT_SERVED)
                .contains(
                        "workqueue_depth",
                        "workqueue_adds_total",
                        "scheduler_batch_attempts_total",
                        "scheduler_get_node_hint_duration_seconds",
                        "scheduler_store_schedule_results_duration_seconds",
                        "rest_client_transport_cache_entries");
    }

    private static Set<String> notServed() {
        try {
            return Files.readAllLines(Path.of("../docs/metrics.md")).stream()
                    .dropWhile(line -> !line.startsWith("| not there | why |"))
                    .skip(2)
                    .takeWhile(line -> line.startsWith("|"))
                    .flatMap(line -> Pattern.compile("`([a-z_]+)`")
                            .matcher(line.split("\\|", -1)[1])
                            .results()
                            .map(name -> name.group(1)))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Kube-scheduler's client measures them, though the scrape has none. */
    @Test
    void sizesOfRequestsAndAnswersHaveTheReferencesNamesAndBounds() {
        for (String name : List.of("rest_client_request_size_bytes", "rest_client_response_size_bytes")) {
            HistogramSnapshot sizes = read().filter(metric -> nameOf(metric).equals(name))
                    .map(HistogramSnapshot.class::cast)
                    .findFirst()
                    .orElseThrow();
            var series = sizes.getDataPoints().getFirst();
            assertThat(series.getLabels().get("verb")).isEqualTo("POST");
            assertThat(series.getLabels().get("host")).isEqualTo("10.0.0.1:6443");
            assertThat(series.getSum()).isEqualTo(700);
            assertThat(series.getClassicBuckets().stream().map(bucket -> bucket.getUpperBound()))
                    .hasSize(12)
                    .startsWith(64d, 256d, 512d, 1024d)
                    .endsWith(16777216d, Double.POSITIVE_INFINITY);
        }
    }

    /** Kube-scheduler shows it only where a plugin has made a pod wait. */
    @Test
    void theWaitForAPermitIsMeasuredByTheReferencesNameAndBounds() {
        engine.waitedOnPermit(Code.UNSCHEDULABLE, 3_000_000_000L);

        HistogramSnapshot waits = read().filter(
                        metric -> nameOf(metric).equals("scheduler_permit_wait_duration_seconds"))
                .map(HistogramSnapshot.class::cast)
                .findFirst()
                .orElseThrow();
        var series = waits.getDataPoints().getFirst();
        assertThat(series.getLabels().get("result")).isEqualTo("Unschedulable");
        assertThat(series.getSum()).isEqualTo(3);
        assertThat(series.getClassicBuckets().stream().map(bucket -> bucket.getUpperBound()))
                .hasSize(16)
                .startsWith(0.001, 0.002)
                .endsWith(16.384, Double.POSITIVE_INFINITY);
    }

    @Test
    void eachHasTheLabelsAndBoundsOfTheReference() {
        Map<String, Contract.Metric> contract = Contract.read();
        read().filter(metric -> contract.containsKey(nameOf(metric))).forEach(metric -> {
            Contract.Metric expected = contract.get(nameOf(metric));
            assertThat(metric.getMetadata().getHelp()).as(expected.name()).isNotEmpty();
            assertThat(metric.getDataPoints())
                    .as(expected.name())
                    .isNotEmpty()
                    .allSatisfy(point -> assertThat(point.getLabels().stream()
                                    .map(label -> label.getName())
                                    .collect(Collectors.toSet()))
                            .isEqualTo(expected.labels()));
            assertThat(metric instanceof HistogramSnapshot)
                    .as(expected.name())
                    .isEqualTo(expected.type().equals("histogram"));
            if (metric instanceof HistogramSnapshot histogram) {
                assertThat(histogram.getDataPoints().getFirst().getClassicBuckets().stream()
                                .map(bucket -> bucket.getUpperBound()))
                        .as(expected.name())
                        .isEqualTo(expected.bounds());
            }
        });
    }

    @Test
    void whatIsServedIsPrometheusTextWithTheJvmsMetricsAndNoMaxima() {
        try (var endpoint = MetricsEndpoint.withJvm(all, ShownMetrics.ALL)) {
            var reply = endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()));
            String text = new String(reply.body(), StandardCharsets.UTF_8);

            assertThat(reply.contentType()).startsWith("text/plain; version=0.0.4");
            assertThat(text)
                    .contains("scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"scheduled\"}"
                            + " 1.0\n")
                    .contains("scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"15+\"} 1\n")
                    .contains("scheduler_pending_pods{queue=\"gated\"} 4.0\n")
                    .contains("leader_election_master_status{name=\"kube-scheduler\"} 1.0\n")
                    .contains("evenkeel_spread_constraints_left_out 7.0\n")
                    .contains("evenkeel_spread_skew{max_skew=\"1\",namespace=\"shop\",selector=\"app=web\","
                            + "topology_key=\"zone\",when_unsatisfiable=\"DoNotSchedule\",workload=\"\"} 3.0\n")
                    .contains("evenkeel_devices{class=\"gpu\",driver=\"gpu.example.com\",state=\"free\"} 6.0\n")
                    .contains("evenkeel_device_fragmentation_ratio{driver=\"gpu.example.com\"} 0.5\n")
                    .contains("evenkeel_devices_left_out 2.0\n")
                    .contains("scheduler_pending_async_api_calls{call_type=\"pod_binding\"} 0.0\n")
                    .contains("jvm_memory_used_bytes")
                    .contains("process_uptime_seconds")
                    .doesNotContain("scheduler_scheduling_attempt_duration_seconds_max");
        }
    }

    /** What it takes in without measuring it, or not at all, would be a series that nobody who knows it expects. */
    @Test
    void theEventsThatAreMeasuredAreThoseOfTheReferenceAndOfKindsThatAreNotKubernetesOwn() {
        List<String> measured = List.of(
                "NodeUpdateNodeLabel",
                "PersistentVolumeClaimAdd",
                "UnschedulablePodDelete",
                "evenkeel.io/PlacementPolicyUpdate",
                "storage.k8s.io/StorageClassAdd",
                "storage.k8s.io/VolumeAttachmentDelete");
        List<String> not = List.of(
                "NamespaceAdd",
                "ServiceUpdate",
                "apps/ReplicaSetDelete",
                "policy/PodDisruptionBudgetAdd",
                "storage.k8s.io/StorageClassDelete",
                "storage.k8s.io/VolumeAttachmentAdd");
        EngineMetrics fresh = new EngineMetrics(() -> 0, FeatureGates.DEFAULTS);
        Stream.of(measured, not).flatMap(List::stream).forEach(event -> fresh.handled(event, 20_000));

        assertThat(fresh.read()
                        .filter(metric -> nameOf(metric).equals("scheduler_event_handling_duration_seconds"))
                        .flatMap(metric -> metric.getDataPoints().stream())
                        .map(point -> point.getLabels().get("event")))
                .containsExactlyInAnyOrderElementsOf(measured);
    }

    /** {@link Difference#CLAIMS_MADE_BY_OWNER} and {@link Difference#QUEUED_ENTITIES_COUNT}. */
    @ParameterizedTest
    @EnumSource
    void from137OnClaimsAndWhatIsQueuedHaveOtherNames(CompatibilityLevel level) {
        FeatureGates gates = FeatureGates.DEFAULTS.at(level);
        EngineMetrics newer = new EngineMetrics(() -> 0, gates);
        newer.queue().incoming("active", "PodAdd");
        newer.wrote(
                new ObjectPatch(Kinds.RESOURCE_CLAIM, ObjectMeta.named("default", "c"), Map.of(), Form.CREATE), true);
        String text;
        try (var endpoint = MetricsEndpoint.of(List.of(newer, new EngineGauges(() -> readings, gates)))) {
            text = new String(
                    endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()))
                            .body(),
                    StandardCharsets.UTF_8);
        }

        String before = "scheduler_resourceclaim_creates_total{status=\"success\"} 1.0\n";
        List<String> since = List.of(
                "dynamic_resource_allocation_resourceclaim_creates_total{admin_access=\"false\",owner_api_group=\"\","
                        + "owner_api_kind=\"Pod\",status=\"success\"} 1.0\n",
                "scheduler_queue_incoming_entities_total{event=\"PodAdd\",queue=\"active\",type=\"pod\"} 1.0\n",
                "scheduler_queued_entities{queue=\"gated\",type=\"pod\"} 4.0\n");
        assertThat(text).contains("scheduler_pending_pods{queue=\"gated\"} 4.0\n");
        if (level == CompatibilityLevel.V1_36) {
            assertThat(text).contains(before).doesNotContain(since);
        } else {
            assertThat(text).contains(since).doesNotContain(before);
        }
    }

    /** {@link Difference#EVENTS_NAME_THE_POD_ITSELF}. */
    @ParameterizedTest
    @EnumSource
    void eventsOfPodsThatWaitHaveOtherNamesFrom137On(CompatibilityLevel level) {
        EngineMetrics now = new EngineMetrics(() -> 0, FeatureGates.DEFAULTS.at(level));
        for (String event : List.of("UnschedulablePodAdd", "UnschedulablePodUpdatePodLabel", "AssignedPodDelete")) {
            now.queue().incoming("active", event);
            now.queue().hintRan("NodeResourcesFit", event, true, 12_000);
            now.handled(event, 20_000);
        }
        Set<String> named = level == CompatibilityLevel.V1_36
                ? Set.of("UnschedulablePodAdd", "UnschedulablePodUpdatePodLabel", "AssignedPodDelete")
                : Set.of("UnscheduledPodAdd", "TargetPodUpdatePodLabel", "AssignedPodDelete");

        for (String metric : List.of(
                "scheduler_queue_incoming_pods_total",
                "scheduler_queueing_hint_execution_duration_seconds",
                "scheduler_event_handling_duration_seconds")) {
            assertThat(now.read()
                            .filter(each -> nameOf(each).equals(metric))
                            .flatMap(each -> each.getDataPoints().stream())
                            .map(point -> point.getLabels().get("event")))
                    .as(metric)
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }

    /** {@link Difference#DURATIONS_ARE_BETA}. */
    @ParameterizedTest
    @EnumSource
    void theHelpOfTheReferencesMetricsSaysHowStableTheyAre(CompatibilityLevel level) {
        FeatureGates gates = FeatureGates.DEFAULTS.at(level);
        List<Instruments> now =
                List.of(new EngineMetrics(() -> 0, gates), dispatcher, new EngineGauges(() -> readings, gates));
        Map<String, String> helps = now.stream()
                .flatMap(Instruments::read)
                .filter(metric -> !nameOf(metric).startsWith("evenkeel_"))
                .collect(Collectors.toMap(
                        MetricsContractTest::nameOf,
                        metric -> metric.getMetadata().getHelp()));

        assertThat(helps).hasSizeGreaterThan(25);
        helps.forEach((name, help) -> assertThat(help).as(name).matches("\\[(ALPHA|BETA|STABLE)] .*"));
        String durations = level == CompatibilityLevel.V1_36 ? "[ALPHA] " : "[BETA] ";
        assertThat(helps.get("scheduler_scheduling_algorithm_duration_seconds")).startsWith(durations);
        assertThat(helps.get("scheduler_plugin_execution_duration_seconds")).startsWith(durations);
        assertThat(helps.get("scheduler_pending_pods")).startsWith("[STABLE] ");
    }

    @Test
    void whatCanBeCountedIsThereBeforeItHappens() {
        EngineMetrics fresh = new EngineMetrics(() -> 0, FeatureGates.DEFAULTS);
        fresh.profile("evenkeel");
        List<Instruments> before =
                List.of(fresh, new DispatcherMetrics(() -> new DispatcherView(Map.of(), Map.of(), 0)));
        try (var endpoint = MetricsEndpoint.withJvm(before, ShownMetrics.ALL)) {
            var reply = endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()));

            assertThat(new String(reply.body(), StandardCharsets.UTF_8))
                    .contains("evenkeel_dispatcher_dropped_total{call_type=\"pod_binding\",reason=\"refused\"} 0.0\n")
                    .contains("evenkeel_dispatcher_dropped_total{call_type=\"event\",reason=\"full\"} 0.0\n")
                    .contains("evenkeel_dispatcher_retries_total{call_type=\"pod_status_patch\"} 0.0\n")
                    .contains("evenkeel_events_folded_total 0.0\n")
                    .contains("scheduler_async_api_call_execution_total{call_type=\"pod_binding\",result=\"error\"}"
                            + " 0.0\n")
                    .contains("scheduler_schedule_attempts_total{profile=\"evenkeel\",result=\"error\"} 0.0\n");
        }
    }

    @Test
    void openMetricsIsServedToThoseWhoAskForIt() {
        try (var endpoint = MetricsEndpoint.withJvm(all, ShownMetrics.ALL)) {
            Headers headers = new Headers();
            headers.set("Accept", "application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5");

            var reply = endpoint.answer(new Request("GET", "/metrics", Map.of(), headers));
            assertThat(reply.contentType()).startsWith("application/openmetrics-text");
            assertThat(new String(reply.body(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
        }
    }

    @Test
    void whileTheEngineDoesNotAnswerWhatItSaidLastIsShown() {
        gauges.read().forEach(metric -> {});
        readings = Optional.empty();

        assertThat(gauges.read().map(MetricsContractTest::nameOf))
                .contains("evenkeel_engine_answers", "scheduler_pending_pods", "evenkeel_spread_skew");
    }

    private Stream<MetricSnapshot> read() {
        return all.stream().flatMap(Instruments::read);
    }

    private static String nameOf(MetricSnapshot metric) {
        String name = metric.getMetadata().getPrometheusName();
        return metric instanceof CounterSnapshot ? name + "_total" : name;
    }
}
