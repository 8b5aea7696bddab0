package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.queue.QueueSettings.Neighbours;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two queues under the same random calls, one that asks about one of those that are alike, one that asks about each: after
 * each call all pods are in the same states, and they are taken in the same order. {@code -Devenkeel.seed=7} runs one seed.
 */
class AlikePropertyTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 1_500);
    private static final int PODS = 80;
    private static final String WANTED = "wanted";
    private static final String FAILING = "w3";
    private static final String UNLIKE_ANY = "w4";
    private static final String COMPANY = "Company";
    private static final List<RejectedBy> REJECTORS = List.of(
            new RejectedBy(Set.of(COMPANY), Set.of()),
            new RejectedBy(Set.of(COMPANY), Set.of()),
            new RejectedBy(Set.of(COMPANY), Set.of()).withNominatedPods(true),
            new RejectedBy(Set.of(COMPANY, QueueHarness.TAINTS), Set.of()),
            new RejectedBy(Set.of(QueueHarness.TAINTS), Set.of(COMPANY)));

    private static final WakeUp NAIVE = WakeUp.on(
            AlikePropertyTest::mayHelp,
            ChangeKind.ASSIGNED_POD_ADDED,
            ChangeKind.ASSIGNED_POD_DELETED,
            ChangeKind.OWN_LABELS);
    private static final WakeUp ALIKE = NAIVE.alike(AlikePropertyTest::likeness);

    private QueueHarness alike = new QueueHarness(COMPANY, ALIKE);
    private QueueHarness naive = new QueueHarness(COMPANY, NAIVE);
    private final List<Attempt> inFlight = new ArrayList<>();
    private final List<Attempt> naiveInFlight = new ArrayList<>();
    private double seconds;
    private int versions;

    static LongStream seeds() {
        return Rotation.seeds(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoIsWokenAndInWhichOrderIsAsIfAllWereAskedAbout(long seed) {
        behaveAlike(seed);
        assertThat(alike.hints.size()).as("hints asked").isLessThan(naive.hints.size() * 3 / 4);
    }

    /** So many a turn that nobody is asked about later. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void soItIsWherePodsAreFiledToo(long seed) {
        QueueSettings settings = QueueHarness.settings(new HintLimits(1_000, 1_000, 1), Neighbours.UNKNOWN);
        alike = new QueueHarness(settings, COMPANY, ALIKE.filedBy(_ -> Interest.ANY));
        naive = new QueueHarness(settings, COMPANY, NAIVE.filedBy(_ -> Interest.ANY));
        behaveAlike(seed);
        assertThat(alike.hints.size()).as("hints asked").isLessThan(naive.hints.size() * 3 / 4);
    }

    private void behaveAlike(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int taken = 0;
        for (int step = 0; step < STEPS; step++) {
            act(random);
            assertThat(states(alike)).as("seed %dL, step %d", seed, step).isEqualTo(states(naive));
            while (random.nextInt(3) > 0) {
                Optional<Attempt> attempt = alike.queue.pop(alike.now());
                Optional<Attempt> naiveAttempt = naive.queue.pop(naive.now());
                assertThat(attempt.map(AlikePropertyTest::nameOf))
                        .as("seed %dL, step %d: taken", seed, step)
                        .isEqualTo(naiveAttempt.map(AlikePropertyTest::nameOf));
                if (attempt.isEmpty()) {
                    break;
                }
                taken++;
                inFlight.add(attempt.get());
                naiveInFlight.add(naiveAttempt.get());
            }
            while (inFlight.size() > 3) {
                reject(random);
            }
        }
        assertThat(taken).as("attempts, or nothing was tested").isGreaterThan(STEPS / 3);
    }

    private void act(SplittableRandom random) {
        String name = "p" + random.nextInt(PODS);
        String key = "default/" + name;
        switch (random.nextInt(10)) {
            case 0 -> both(test -> test.queue.remove(key, "", test.now()));
            case 1 -> both(test -> test.queue.activate(key, test.now()));
            case 2, 3, 4, 5 -> {
                Pod pod = PodBuilder.pod(name)
                        .uid(name)
                        .version("" + versions++, 1)
                        .label(WANTED, wanted(random))
                        .build();
                both(test -> test.update(pod));
            }
            case 6 -> {
                seconds += random.nextInt(20) == 0 ? 301 : random.nextDouble(2.5);
                both(test -> test.at(seconds));
            }
            default -> {
                ClusterChange change = change(random, name);
                both(test -> test.change(change));
            }
        }
    }

    private void reject(SplittableRandom random) {
        if (!inFlight.isEmpty()) {
            int which = random.nextInt(inFlight.size());
            RejectedBy by = REJECTORS.get(random.nextInt(REJECTORS.size()));
            alike.queue.rejected(inFlight.remove(which), by, alike.now());
            naive.queue.rejected(naiveInFlight.remove(which), by, naive.now());
        }
    }

    private void both(Consumer<QueueHarness> step) {
        step.accept(alike);
        step.accept(naive);
    }

    private static List<QueueEntryView> states(QueueHarness test) {
        return test.queue.view();
    }

    private static String nameOf(Attempt attempt) {
        return attempt.pod().name();
    }

    /** Some are of pods that waited until now, which no change of their own place helps. */
    private static ClusterChange change(SplittableRandom random, String name) {
        if (random.nextInt(8) == 0) {
            return QueueHarness.tainted();
        }
        Pod other = PodBuilder.pod(random.nextBoolean() ? name : "other")
                .uid(name)
                .nodeName("n")
                .label("app", wanted(random))
                .build();
        ClusterChange change = random.nextBoolean()
                ? ClusterChange.added(ChangeKind.ASSIGNED_POD_ADDED, other)
                : ClusterChange.removed(ChangeKind.ASSIGNED_POD_DELETED, other);
        return random.nextInt(4) == 0 ? change.asInternal() : change;
    }

    private static String wanted(SplittableRandom random) {
        return "w" + random.nextInt(6);
    }

    private static boolean mayHelp(PendingPod waiting, ClusterChange change) {
        String wanted = waiting.pod().labels().getOrDefault(WANTED, "");
        if (wanted.equals(FAILING)) {
            throw new IllegalStateException("a hint that fails");
        }
        return change.is(ChangeKind.OWN_LABELS)
                ? wanted.equals("w0")
                : change.after()
                        .or(change::before)
                        .orElseThrow()
                        .meta()
                        .labels()
                        .has("app", wanted);
    }

    private static Object likeness(PendingPod waiting) {
        String wanted = waiting.pod().labels().getOrDefault(WANTED, "");
        if (wanted.equals(UNLIKE_ANY)) {
            throw new IllegalStateException("a likeness that fails");
        }
        return wanted;
    }
}
