package io.evenkeel.policies.status;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.metrics.Gauge;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.policies.PlacementPolicyPlugin;
import io.evenkeel.policies.PolicyReading.RuleReading;
import io.evenkeel.policies.ReadablePolicy;
import io.evenkeel.policies.ReadablePolicy.PolicyReadings;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says of each policy how it is kept, while this replica leads. On the engine's thread: a pod that begins or ends to wait costs a
 * look-up, and once a second as many domains are read as take a few milliseconds.
 */
public final class PolicyObserver implements Companion {
    /** A rolling update that has more pods for a moment is no news. */
    private static final Duration USUAL_SETTLE = Duration.ofSeconds(10);

    private static final Pace PACE = new Pace(10, Duration.ofSeconds(5));
    private static final long BETWEEN_TICKS = TimeUnit.SECONDS.toNanos(1);
    private static final long DOMAINS_A_TICK = 200_000;

    private final List<String> keepers;
    private final Times times;
    private final PolicyMetrics metrics = new PolicyMetrics();
    private final WaitingByLabels waiting = new WaitingByLabels(this::isKept);
    private Optional<Surroundings> surroundings = Optional.empty();
    private Optional<StatusWrites> writes = Optional.empty();
    private Optional<PolicyBoard> board = Optional.empty();
    private long tickedAt;

    /** @param keepers the profiles that keep policies; events are by the first */
    PolicyObserver(List<String> keepers, Times times) {
        this.keepers = List.copyOf(keepers);
        this.times = times;
        tickedAt = times.now() - BETWEEN_TICKS;
    }

    /** One where a profile keeps policies. */
    public static Optional<PolicyObserver> of(SchedulerConfiguration configuration) {
        return of(configuration, new Times(System::nanoTime, InstantSource.system(), USUAL_SETTLE));
    }

    /** Makes one that goes by another clock. */
    public static Optional<PolicyObserver> of(SchedulerConfiguration configuration, Times times) {
        List<String> keepers = PlacementPolicyPlugin.profilesIn(configuration);
        return keepers.isEmpty() ? Optional.empty() : Optional.of(new PolicyObserver(keepers, times));
    }

    /** Of profiles that name its plugin. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            return PolicyObserver.of(setup.configuration())
                    .<List<Companion>>map(List::of)
                    .orElse(List.of());
        }
    }

    @Override
    public void begin(Surroundings around) {
        surroundings = Optional.of(around);
        writes = Optional.of(new StatusWrites(around.patches("policy-statuses", PACE), times));
    }

    @Override
    public Instruments metrics() {
        return metrics;
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        waiting.take(event);
    }

    @Override
    public void turned(Scheduler scheduler, int events, long turnNanos) {
        long now = times.now();
        if (now - tickedAt >= BETWEEN_TICKS && isAtWork(scheduler)) {
            tickedAt = now;
            PolicyBoard known = board.orElseGet(() -> board(scheduler));
            known.tick(scheduler, DOMAINS_A_TICK);
            known.show(metrics);
        }
    }

    @Override
    public long nanosUntilNext(Scheduler scheduler) {
        return isAtWork(scheduler) ? Math.max(1, tickedAt + BETWEEN_TICKS - times.now()) : Long.MAX_VALUE;
    }

    private boolean isAtWork(Scheduler scheduler) {
        return scheduler.isSynced()
                && surroundings.filter(Surroundings::isLeading).isPresent();
    }

    private boolean isKept(Pod pod) {
        return keepers.contains(pod.spec().schedulerName());
    }

    private PolicyBoard board(Scheduler scheduler) {
        PolicyBoard made = new PolicyBoard(
                new PolicyReadings(scheduler.cluster()),
                waiting,
                this::isKept,
                times,
                new PolicyNews(surroundings.orElseThrow().events(), keepers.getFirst()),
                writes.orElseThrow());
        board = Optional.of(made);
        return made;
    }

    /**
     * All policies, each read again when its counts have changed, as many a tick as the budget allows: the next tick goes on where this one
     * ended.
     */
    private static final class PolicyBoard {
        /** So many domains are named in a status; more would make it large for no reader. */
        private static final int MOST_DOMAINS = 50;

        /** Each is a pod that is looked at as if it were to be placed. */
        private static final int MOST_LOOKS = 20;

        private static final int MOST_LOOKS_OF_A_POLICY = 5;

        /** Kinds of waiting pods that are looked at for a policy; of more, others have their turn once some of these wait no longer. */
        private static final int MOST_KINDS = 1_024;

        /** So many kinds of waiting pods are checked against policies in one tick. */
        private static final long MOST_ASKED = 20_000;

        private final PolicyReadings readings;
        private final WaitingByLabels waiting;
        private final Predicate<Pod> isKept;
        private final Times times;
        private final PolicyNews news;
        private final StatusWrites writes;
        private List<PolicyRow> rows = List.of();
        private final Set<PolicyRow> moving = new LinkedHashSet<>();
        private long policiesAt = -1;
        private int next;
        private int nextLook;
        private boolean isNews;

        /** @param isKept whether a pod is of a profile that keeps policies */
        PolicyBoard(
                PolicyReadings readings,
                WaitingByLabels waiting,
                Predicate<Pod> isKept,
                Times times,
                PolicyNews news,
                StatusWrites writes) {
            this.isKept = isKept;
            this.readings = readings;
            this.waiting = waiting;
            this.times = times;
            this.news = news;
            this.writes = writes;
        }

        /** @param budget how many domains and kinds of waiting pods may be looked at, roughly */
        void tick(Scheduler scheduler, long budget) {
            if (policiesAt != readings.changes()) {
                policiesAt = readings.changes();
                takeStock();
            }
            List<Pod> onTheirWay =
                    scheduler.onTheirWay().stream().map(Scheduler.OnItsWay::pod).toList();
            long left = budget;
            for (int i = 0; i < rows.size() && left > 0; i++) {
                next = next + 1 < rows.size() ? next + 1 : 0;
                left -= readIfChanged(rows.get(next), onTheirWay, budget);
            }
            relax(scheduler);
            List.copyOf(moving).forEach(this::judge);
            writes.send();
        }

        /** As many policies a tick as one can afford; those without pods cost next to nothing. */
        private void relax(Scheduler scheduler) {
            List<PolicyRow> relaxable =
                    rows.stream().filter(PolicyRow::mayBeRelaxed).toList();
            int looks = 0;
            long asked = 0;
            for (int i = 0; i < relaxable.size() && looks < MOST_LOOKS && asked < MOST_ASKED; i++) {
                nextLook = nextLook + 1 < relaxable.size() ? nextLook + 1 : 0;
                PolicyRow row = relaxable.get(nextLook);
                asked += waiting.cost(row.policy().policy().meta().namespace());
                looks += relax(scheduler, row, Math.min(MOST_LOOKS_OF_A_POLICY, MOST_LOOKS - looks));
            }
        }

        /** How many pods were looked at. */
        private int relax(Scheduler scheduler, PolicyRow row, int mostLooks) {
            ReadablePolicy policy = row.policy();
            List<Pod> pods = new ArrayList<>(waiting.samplesOf(policy, MOST_KINDS));
            if (!row.relaxations().isEmpty()) {
                policy.somePod(isKept).ifPresent(pods::add);
            } else if (pods.isEmpty()) {
                return 0;
            }
            SampledPods lookout = row.lookout();
            lookout.keep(pods);
            List<Pod> next = lookout.next(mostLooks);
            for (Pod pod : next) {
                lookout.saw(pod, sights(scheduler, row, pod));
            }
            List<Relaxations.Turn> turns =
                    next.isEmpty() ? row.relaxations().end() : row.relaxations().look(lookout.sights());
            turns.forEach(turn -> news.turned(policy, turn));
            if (!turns.isEmpty()) {
                judge(row);
            }
            return next.size();
        }

        /** Returns the sights that the policy's relaxations go by; none where a plugin fails on the pod: it waits for no policy. */
        private static List<DomainView> sights(Scheduler scheduler, PolicyRow row, Pod pod) {
            try {
                return scheduler
                        .engine()
                        .asIfItWaited(
                                pod,
                                (asked, diagnosis) ->
                                        DomainView.of(row.policy(), asked, diagnosis, !pod.isPlaced()).stream()
                                                .filter(row.relaxations()::areAbout)
                                                .toList());
            } catch (PluginFailure failed) {
                return List.of();
            }
        }

        private void takeStock() {
            Map<String, PolicyRow> before = new HashMap<>();
            rows.forEach(row -> before.put(row.key(), row));
            List<PolicyRow> now = new ArrayList<>();
            for (ReadablePolicy policy : readings.all()) {
                now.add(Optional.ofNullable(before.get(PolicyRow.keyOf(policy.policy())))
                        .filter(row -> row.policy().equals(policy))
                        .orElseGet(() -> new PolicyRow(policy, said(policy.policy(), before), times)));
            }
            rows = List.copyOf(now);
            moving.retainAll(now);
            writes.retain(now);
            isNews = true;
        }

        /** The status as said before, which the server may not have yet. */
        private static PolicyStatus said(PolicyObject policy, Map<String, PolicyRow> before) {
            return Optional.ofNullable(before.get(PolicyRow.keyOf(policy)))
                    .filter(row -> row.policy()
                            .policy()
                            .meta()
                            .uid()
                            .equals(policy.meta().uid()))
                    .map(PolicyRow::said)
                    .orElse(policy.status());
        }

        /** One that takes the budget of many ticks rests for as many. */
        private long readIfChanged(PolicyRow row, List<Pod> onTheirWay, long budget) {
            if (row.takesTurnOff()) {
                return 1;
            }
            ReadablePolicy policy = row.policy();
            String namespace = policy.policy().meta().namespace();
            long changes = policy.changes()
                    + waiting.changes(namespace)
                    + policy.policy().meta().generation();
            if (!row.isToBeRead(changes)) {
                writes.look(row);
                return 1;
            }
            row.read(policy.read(waiting.of(policy, onTheirWay), MOST_DOMAINS));
            if (row.memory().see(policy.domainsToRemember())) {
                news.tooManyToRemember(policy);
            }
            judge(row);
            long cost = policy.cost() + waiting.cost(namespace);
            row.rest(cost / budget);
            return cost;
        }

        private void judge(PolicyRow row) {
            row.memory().forget().forEach(domain -> news.forgotten(row.policy(), domain));
            boolean isAtRest = row.judge((finding, before) -> news.turned(row.policy(), finding, before));
            if (isAtRest) {
                moving.remove(row);
            } else {
                moving.add(row);
            }
            writes.look(row);
            isNews = true;
        }

        /** All that there are to be shown, if any is another than was shown last. */
        void show(PolicyMetrics metrics) {
            if (isNews) {
                isNews = false;
                List<PolicyMetrics.Shown> all =
                        rows.stream().map(PolicyMetrics.Shown::of).toList();
                metrics.show(
                        all.stream()
                                .sorted(Comparator.comparing(PolicyMetrics.Shown::isAsItShouldBe))
                                .limit(PolicyMetrics.MOST_POLICIES)
                                .toList(),
                        all.size());
            }
        }
    }

    /**
     * Metrics of policies as they are at the moment. Where there are too many, troubled policies come before others. How
     * long the trouble must have lasted is for alerts to say.
     */
    private static final class PolicyMetrics implements Instruments {
        static final int MOST_POLICIES = 1_000;

        /** @param skews by label, the greatest of its rules */
        record Shown(
                PolicyObject policy,
                long pods,
                int waiting,
                Map<String, Integer> skews,
                Set<Broken> broken,
                String reasonAgainst,
                int relaxed) {

            boolean isAsItShouldBe() {
                return broken.isEmpty() && reasonAgainst.isEmpty() && relaxed == 0;
            }

            static Shown of(PolicyRow row) {
                return new Shown(
                        row.policy().policy(),
                        row.reading().pods(),
                        row.reading().waiting(),
                        row.reading().rules().stream()
                                .collect(Collectors.toMap(
                                        RuleReading::topologyKey, RuleReading::skew, Math::max, TreeMap::new)),
                        row.reading().breaches().stream()
                                .map(breach -> new Broken(
                                        breach.topologyKey(), breach.limit().field()))
                                .collect(Collectors.toSet()),
                        row.reasonAgainst().orElse(""),
                        row.relaxations().now().size());
            }
        }

        /** A limit over a label, of whichever rules. */
        record Broken(String topologyKey, String limit) {}

        private volatile List<Shown> shown = List.of();
        private volatile int leftOut;

        /** Shows policies that are not as they should be first. */
        void show(List<Shown> policies, int all) {
            shown = policies;
            leftOut = all - policies.size();
        }

        @Override
        public Stream<MetricSnapshot> read() {
            Gauge pods = new Gauge("evenkeel_policy_pods", "Pods of a policy on nodes.", "kind", "namespace", "name");
            Gauge waiting = new Gauge(
                    "evenkeel_policy_waiting_pods",
                    "Pods of a policy waiting for a node.",
                    "kind",
                    "namespace",
                    "name");
            Gauge skew = new Gauge(
                    "evenkeel_policy_skew",
                    "Pods in the fullest domain of a policy's rule less those in the emptiest.",
                    "kind",
                    "namespace",
                    "name",
                    "topology_key");
            Gauge violated = new Gauge(
                    "evenkeel_policy_violated",
                    "1 for each limit that a policy's pods on nodes break.",
                    "kind",
                    "namespace",
                    "name",
                    "topology_key",
                    "limit");
            Gauge unsatisfiable = new Gauge(
                    "evenkeel_policy_unsatisfiable",
                    "1 for each policy whose pods cannot all be placed, by reason.",
                    "kind",
                    "namespace",
                    "name",
                    "reason");
            Gauge relaxed = new Gauge(
                    "evenkeel_policy_relaxed_domains",
                    "Relaxed domains of a policy: its pods do not wait for these.",
                    "kind",
                    "namespace",
                    "name");
            for (Shown one : shown) {
                String kind = one.policy().kindName();
                String namespace = one.policy().meta().namespace();
                String name = one.policy().meta().name();
                pods.set((double) one.pods(), kind, namespace, name);
                waiting.set(one.waiting(), kind, namespace, name);
                one.skews().forEach((key, greatest) -> skew.set(greatest, kind, namespace, name, key));
                one.broken().forEach(each -> violated.set(1, kind, namespace, name, each.topologyKey(), each.limit()));
                if (one.relaxed() > 0) {
                    relaxed.set(one.relaxed(), kind, namespace, name);
                }
                if (!one.reasonAgainst().isEmpty()) {
                    unsatisfiable.set(1, kind, namespace, name, one.reasonAgainst());
                }
            }
            return Stream.of(
                    pods.snapshot(),
                    waiting.snapshot(),
                    skew.snapshot(),
                    violated.snapshot(),
                    unsatisfiable.snapshot(),
                    relaxed.snapshot(),
                    new Gauge(
                                    "evenkeel_policies_left_out",
                                    "Policies without metrics of their own, as there are too many.")
                            .set(leftOut)
                            .snapshot());
        }
    }
}
