package io.evenkeel.queue;

import static io.evenkeel.queue.QueueHarness.HELD;
import static io.evenkeel.queue.QueueHarness.LABELS;
import static io.evenkeel.queue.QueueHarness.TAINTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.rotation.Rotation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The queue against a naive twin under random calls. {@code -Devenkeel.seed=7} runs one seed. */
class QueuePropertyTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 1_500);
    private static final List<RejectedBy> REJECTORS = List.of(
            RejectedBy.NONE,
            new RejectedBy(Set.of(LABELS), Set.of()),
            new RejectedBy(Set.of(TAINTS), Set.of()),
            new RejectedBy(Set.of(LABELS, TAINTS), Set.of()),
            new RejectedBy(Set.of(LABELS), Set.of(TAINTS)),
            new RejectedBy(Set.of(), Set.of(LABELS)));

    private final QueueHarness test = new QueueHarness();
    private final NaiveQueue twin = new NaiveQueue();
    private final Map<String, Attempt> attempts = new HashMap<>();
    private double seconds;
    private int uids;

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void behavesAsItsTwin(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < STEPS; step++) {
            String where = "seed " + seed + "L, step " + step;
            act(random, where);
            Map<String, String> states = new TreeMap<>();
            test.queue.view().forEach(view -> states.put(view.key(), view.state() + " after " + view.attempts()));
            assertThat(states).as(where).isEqualTo(twin.states());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPodThatAlwaysFailsLeavesTheOthersTheirTurn(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        test.add(PodBuilder.pod("stuck").priority(1_000).build());
        for (int i = 0; i < 20; i++) {
            test.add(PodBuilder.pod("p" + i).priority(random.nextInt(10)).build());
        }
        for (int placed = 0, turns = 0; placed < 20; turns++) {
            assertThat(turns).as("seed %dL: turns that 20 pods take", seed).isLessThan(23);
            Attempt attempt = test.pop();
            if (!attempt.pod().name().equals("stuck")) {
                test.queue.done(attempt);
                placed++;
            } else if (random.nextBoolean()) {
                test.reject(attempt, TAINTS);
            } else {
                test.fail(attempt);
            }
            test.change(QueueHarness.tainted());
            seconds += 0.1;
            test.at(seconds);
        }
    }

    private void act(SplittableRandom random, String where) {
        String name = "p" + random.nextInt(12);
        String key = "default/" + name;
        Optional<Pod> known = test.queue.find(key);
        switch (random.nextInt(14)) {
            case 0, 1 -> add(random, name);
            case 2 -> known.ifPresent(pod -> update(random, pod));
            case 3 -> {
                test.queue.remove(key, "", test.now());
                twin.entries.remove(key);
            }
            case 4 -> {
                test.queue.activate(key, test.now());
                twin.activate(key, test.now());
            }
            case 5, 6 -> change(random, name);
            case 7 -> {
                seconds += random.nextInt(20) == 0 ? 301 : random.nextDouble(2.5);
                test.at(seconds);
                twin.tick(test.now());
            }
            case 8, 9, 10 -> pop(where);
            default -> end(random);
        }
    }

    private void add(SplittableRandom random, String name) {
        String uid = test.queue
                .find("default/" + name)
                .filter(pod -> random.nextInt(3) > 0)
                .map(pod -> pod.meta().uid())
                .orElseGet(() -> "u" + uids++);
        // Of distinct priorities, since pods that are woken by one change may come in any order.
        PodBuilder pod = PodBuilder.pod(name).uid(uid).version("1", 1).priority(Integer.parseInt(name.substring(1)));
        Optional<Pod> known = test.queue
                .find("default/" + name)
                .filter(old -> old.meta().uid().equals(uid));
        Pod added = known.orElseGet(() -> (random.nextInt(3) == 0 ? pod.schedulingGate("g") : pod)
                .label(HELD, random.nextBoolean() ? "yes" : "no")
                .build());
        test.add(added);
        twin.add(added, test.now());
    }

    private void update(SplittableRandom random, Pod pod) {
        PodBuilder next = PodBuilder.from(pod).version(pod.meta().resourceVersion() + "+", 1);
        Pod updated = switch (random.nextInt(4)) {
            case 0, 1 -> next.withoutSchedulingGates().build();
            case 2 -> next.label(HELD, random.nextInt(3) == 0 ? "yes" : "no").build();
            default ->
                next.label(random.nextBoolean() ? pod.name() : "other", "" + random.nextInt(2))
                        .build();
        };
        test.update(updated);
        twin.update(
                updated,
                test.now(),
                plugin -> plugin.equals(LABELS) && updated.labels().has(pod.name()));
    }

    private void change(SplittableRandom random, String name) {
        ClusterChange change = random.nextBoolean() ? QueueHarness.tainted() : QueueHarness.labelled(name, "p1");
        test.change(change);
        twin.changed(
                test.now(),
                (plugin, pod) -> plugin.equals(TAINTS)
                        ? change.is(ChangeKind.NODE_TAINTS)
                        : change.is(ChangeKind.NODE_LABELS) && QueueHarness.names(QueueHarness.admitted(pod), change));
    }

    private void pop(String where) {
        Optional<Attempt> attempt = test.queue.pop(test.now());
        assertThat(attempt.map(popped -> popped.pod().key())).as(where).isEqualTo(twin.pop(test.now()));
        attempt.ifPresent(popped -> attempts.put(popped.pod().key(), popped));
    }

    /** Ends some attempt, which may be of a pod that is gone already. */
    private void end(SplittableRandom random) {
        List<String> keys = attempts.keySet().stream().sorted().toList();
        if (keys.isEmpty()) {
            return;
        }
        String key = keys.get(random.nextInt(keys.size()));
        Attempt attempt = attempts.remove(key);
        if (attempt == null) {
            return;
        }
        boolean wanted = attempt.stillWanted();
        switch (random.nextInt(4)) {
            case 0 -> {
                test.queue.done(attempt);
                if (wanted) {
                    twin.entries.remove(key);
                }
            }
            case 1 -> {
                test.fail(attempt);
                if (wanted) {
                    twin.failed(key, test.now());
                }
            }
            default -> {
                RejectedBy by = REJECTORS.get(random.nextInt(REJECTORS.size()));
                test.queue.rejected(attempt, by, test.now());
                if (wanted) {
                    twin.rejected(key, by, test.now());
                }
            }
        }
    }
}
