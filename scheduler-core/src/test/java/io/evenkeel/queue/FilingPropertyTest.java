package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two queues under the same random calls, one that files its pods and asks about many of them later, one that asks each at
 * each change: once nothing is left to be asked, the same pods are awake in both. {@code -Devenkeel.seed=7} runs one seed.
 */
class FilingPropertyTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 120);
    private static final int PODS = 500;
    private static final String COMPANY = "Company";
    private static final List<RejectedBy> REJECTORS = List.of(
            new RejectedBy(Set.of(COMPANY), Set.of()),
            new RejectedBy(Set.of(COMPANY), Set.of()),
            new RejectedBy(Set.of(COMPANY, QueueHarness.TAINTS), Set.of()),
            new RejectedBy(Set.of(QueueHarness.TAINTS), Set.of(COMPANY)));

    private static final WakeUp NAIVE = WakeUp.on(
            FilingPropertyTest::mayHelp,
            ChangeKind.ASSIGNED_POD_ADDED,
            ChangeKind.ASSIGNED_POD_LABELS,
            ChangeKind.ASSIGNED_POD_DELETED,
            ChangeKind.OWN_LABELS);

    private final QueueHarness filed = new QueueHarness(COMPANY, NAIVE.filedBy(FilingPropertyTest::interestOf));
    private final QueueHarness naive = new QueueHarness(COMPANY, NAIVE);
    private double seconds;
    private int late;
    private int versions;

    static LongStream seeds() {
        return Rotation.seeds(8);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theSamePodsAreWoken(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int woken = 0;
        for (int step = 0; step < STEPS; step++) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                act(random);
            }
            late += filed.queue.nextDeadline().orElse(Long.MAX_VALUE) <= filed.now() ? 1 : 0;
            settle();
            Map<String, String> states = states(filed);
            states.entrySet().removeAll(states(naive).entrySet());
            assertThat(states)
                    .as("seed %dL, step %d: not as in the naive queue", seed, step)
                    .isEmpty();
            woken += placeAll(random);
        }
        assertThat(late).as("turns after which pods were left to ask about").isGreaterThan(5);
        assertThat(woken).as("pods that were woken, or nothing was tested").isGreaterThan(1_000);
        assertThat(filed.hints.size()).as("hints asked").isLessThan(naive.hints.size());
    }

    /** In turns, until nothing is left to be asked. */
    private void settle() {
        for (int turns = 0; filed.queue.nextDeadline().orElse(Long.MAX_VALUE) <= filed.now(); turns++) {
            assertThat(turns).as("turns").isLessThan(1_000);
            filed.at(seconds);
        }
    }

    private void act(SplittableRandom random) {
        String name = "p" + random.nextInt(PODS);
        String namespace = random.nextInt(5) == 0 ? "small" : "big";
        Optional<Pod> known = naive.queue.find(namespace + "/" + name);
        switch (random.nextInt(8)) {
            case 0 -> both(test -> test.queue.remove(namespace + "/" + name, "", test.now()));
            case 1, 2 ->
                known.ifPresent(pod -> {
                    Pod updated = PodBuilder.from(pod)
                            .version("" + versions++, 1)
                            .label("app", app(random))
                            .build();
                    both(test -> test.update(updated));
                });
            case 3 -> both(test -> test.queue.activate(namespace + "/" + name, test.now()));
            default -> {
                ClusterChange change = change(random);
                both(test -> test.change(change));
            }
        }
    }

    /** Fills the queues up, and rejects all whose turn it is, some after a change. */
    private int placeAll(SplittableRandom random) {
        for (int i = 0; i < PODS; i++) {
            String namespace = i % 5 == 0 ? "small" : "big";
            if (!naive.queue.find(namespace + "/p" + i).isPresent()) {
                // Of distinct priorities, since pods that are woken by one change may come in any order.
                Pod pod = pod(random, namespace, "p" + i).priority(i).build();
                both(test -> test.add(pod));
            }
        }
        seconds += random.nextDouble(3);
        both(test -> test.at(seconds));
        Map<String, List<Attempt>> attempts = new HashMap<>();
        both(test -> {
            for (var attempt = test.queue.pop(test.now()); attempt.isPresent(); attempt = test.queue.pop(test.now())) {
                attempts.computeIfAbsent(attempt.get().pod().key(), _ -> new ArrayList<>())
                        .add(attempt.get());
            }
        });
        if (random.nextBoolean()) {
            ClusterChange change = change(random);
            both(test -> test.change(change));
        }
        settle();
        new TreeMap<>(attempts).forEach((key, two) -> {
            assertThat(two).as(key).hasSize(2);
            RejectedBy by = REJECTORS.get(random.nextInt(REJECTORS.size()));
            filed.queue.rejected(two.getFirst(), by, filed.now());
            naive.queue.rejected(two.getLast(), by, naive.now());
        });
        return attempts.size();
    }

    private void both(Consumer<QueueHarness> step) {
        step.accept(filed);
        step.accept(naive);
    }

    private static Map<String, String> states(QueueHarness test) {
        Map<String, String> states = new TreeMap<>();
        test.queue.view().forEach(view -> states.put(view.key(), view.state() + " after " + view.attempts()));
        return states;
    }

    private static ClusterChange change(SplittableRandom random) {
        if (random.nextInt(6) == 0) {
            return QueueHarness.tainted();
        }
        Pod before = pod(random, random.nextBoolean() ? "small" : "big", "other")
                .nodeName("n")
                .build();
        Pod after = PodBuilder.from(before).label("app", app(random)).build();
        return switch (random.nextInt(3)) {
            case 0 -> ClusterChange.added(ChangeKind.ASSIGNED_POD_ADDED, after);
            case 1 -> ClusterChange.removed(ChangeKind.ASSIGNED_POD_DELETED, before);
            default ->
                new ClusterChange(List.of(ChangeKind.ASSIGNED_POD_LABELS), Optional.of(before), Optional.of(after));
        };
    }

    private static PodBuilder pod(SplittableRandom random, String namespace, String name) {
        return PodBuilder.pod(name)
                .namespace(namespace)
                .uid(namespace + name)
                .label("app", app(random))
                .podAffinity(new PodAffinity(
                        terms(random, 1 + random.nextInt(2)), List.of(), terms(random, random.nextInt(2)), List.of()));
    }

    private static String app(SplittableRandom random) {
        return "a" + (random.nextInt(3) == 0 ? 0 : random.nextInt(60));
    }

    private static List<PodAffinityTerm> terms(SplittableRandom random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PodAffinityTerm(
                        LabelSelector.of(List.of(requirement(random))),
                        "zone",
                        random.nextInt(3) == 0 ? List.of("small") : List.of(),
                        random.nextInt(9) == 0 ? LabelSelector.EVERYTHING : LabelSelector.NOTHING))
                .toList();
    }

    private static LabelRequirement requirement(SplittableRandom random) {
        return switch (random.nextInt(12)) {
            case 0 -> new LabelRequirement("app", Operator.NOT_IN, List.of(app(random)));
            case 1 -> new LabelRequirement("app", Operator.EXISTS, List.of());
            case 2 ->
                new LabelRequirement(
                        "app",
                        Operator.IN,
                        IntStream.range(0, 30).mapToObj(i -> "a" + i).toList());
            default -> new LabelRequirement("app", Operator.IN, List.of(app(random), app(random)));
        };
    }

    private static boolean mayHelp(PendingPod waiting, ClusterChange change) {
        if (change.is(ChangeKind.OWN_LABELS)) {
            return waiting.pod().labels().has("app", "a0");
        }
        PodAffinity affinity = waiting.pod().spec().podAffinity();
        String namespace = waiting.pod().namespace();
        return Stream.of(change.before(Pod.class), change.after(Pod.class))
                        .flatMap(Optional::stream)
                        .anyMatch(pod ->
                                affinity.requiredAffinity().stream().allMatch(term -> selects(term, namespace, pod))
                                        || affinity.requiredAntiAffinity().stream()
                                                .anyMatch(term -> selects(term, namespace, pod)))
                || change.before(Pod.class)
                        .filter(pod -> pod.spec().podAffinity().requiredAntiAffinity().stream()
                                .anyMatch(term -> term.labelSelector()
                                        .matches(waiting.pod().labels())))
                        .isPresent();
    }

    private static boolean selects(PodAffinityTerm term, String ownNamespace, Pod pod) {
        return isInScope(term, ownNamespace, pod.namespace())
                && term.labelSelector().matches(pod.labels());
    }

    private static boolean isInScope(PodAffinityTerm term, String ownNamespace, String namespace) {
        if (term.namespaces().isEmpty() && term.namespaceSelector().matchesNothing()) {
            return namespace.equals(ownNamespace);
        }
        return term.namespaces().contains(namespace) || term.namespaceSelector().matchesEverything();
    }

    private static Interest interestOf(PendingPod waiting) {
        PodAffinity affinity = waiting.pod().spec().podAffinity();
        Interest.Builder pods = Interest.inPods().shunning(waiting.pod().labels());
        String namespace = waiting.pod().namespace();
        add(PodMatch.of(affinity.requiredAffinity().getFirst(), namespace), pods);
        affinity.requiredAntiAffinity().forEach(term -> add(PodMatch.of(term, namespace), pods));
        return pods.build();
    }

    private static void add(PodMatch match, Interest.Builder pods) {
        pods.selectedBy(match.scope().names(), match.scope().selector(), match.selector());
    }
}
