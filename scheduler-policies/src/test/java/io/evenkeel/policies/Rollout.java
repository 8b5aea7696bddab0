package io.evenkeel.policies;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A rolling update of a Deployment as its controllers do it: new pods as long as there are not too many in all, old ones gone as long as
 * enough are ready, and between them chance, which decides whose turn it is to become ready or to end.
 */
final class Rollout {
    private static final int REPLICAS = 9;
    private static final int MOST_PODS = REPLICAS + 3; // maxSurge 25 %, rounded up
    private static final int FEWEST_READY = REPLICAS - 2; // maxUnavailable 25 %, rounded down

    private final Engine engine;
    private final SplittableRandom chance;
    private final UnaryOperator<PodBuilder> template;
    private final List<Pod> old = new ArrayList<>();
    private final List<Pod> ending = new ArrayList<>();
    private final List<Pod> waiting = new ArrayList<>();
    private final List<Pod> starting = new ArrayList<>();
    private final List<Pod> ready = new ArrayList<>();

    /** @param template what pods say, of either revision */
    Rollout(Engine engine, SplittableRandom chance, UnaryOperator<PodBuilder> template) {
        this.engine = engine;
        this.chance = chance;
        this.template = template;
    }

    /** The pods of the new revision, once there are no others. */
    List<Pod> run() {
        while (old.size() + waiting.size() < REPLICAS) {
            waiting.add(pod("old", old.size() + waiting.size()));
        }
        place(old);
        while (ready.size() < REPLICAS || !ending.isEmpty()) {
            surge();
            place(starting);
            shrink();
            step();
        }
        return List.copyOf(ready);
    }

    private Pod pod(String revision, int number) {
        return template.apply(PodBuilder.pod(revision + "-" + number)
                        .label("app", "web")
                        .label("pod-template-hash", revision)
                        .container("cpu", "100m"))
                .build();
    }

    private void surge() {
        int made = ready.size() + starting.size() + waiting.size();
        while (made < REPLICAS && made + old.size() < MOST_PODS) {
            waiting.add(pod("new", made++));
        }
    }

    private void place(List<Pod> placed) {
        for (Pod pod : List.copyOf(waiting)) {
            if (engine.decide(pod) instanceof Decision.Placed decision) {
                Pod bound = PodBuilder.from(pod)
                        .nodeName(engine.cluster().nodes().name(decision.node()))
                        .build();
                engine.put(bound);
                placed.add(bound);
                waiting.remove(pod);
            }
        }
    }

    /** As a ReplicaSet chooses among pods that are equally ready and about as old: from the nodes with most of the Deployment first. */
    private void shrink() {
        while (!old.isEmpty() && old.size() + ready.size() > FEWEST_READY) {
            Map<String, Long> perNode = Stream.of(old, starting, ready)
                    .flatMap(List::stream)
                    .collect(Collectors.groupingBy(Rollout::node, Collectors.counting()));
            Pod chosen =
                    old.stream()
                            .collect(Collectors.toMap(Function.identity(), _ -> chance.nextInt()))
                            .entrySet()
                            .stream()
                            .min(Comparator.<Map.Entry<Pod, Integer>, Long>comparing(
                                            each -> perNode.getOrDefault(node(each.getKey()), 0L),
                                            Comparator.reverseOrder())
                                    .thenComparing(Map.Entry::getValue))
                            .map(Map.Entry::getKey)
                            .orElseThrow();
            old.remove(chosen);
            Pod terminating = PodBuilder.from(chosen).terminating(true).build();
            engine.put(terminating);
            ending.add(terminating);
        }
    }

    private static String node(Pod pod) {
        return pod.spec().nodeName();
    }

    /** One pod is ready, or one is gone. */
    private void step() {
        int turn = chance.nextInt(starting.size() + ending.size());
        if (turn < starting.size()) {
            ready.add(starting.remove(turn));
        } else {
            engine.remove(ending.remove(turn - starting.size()));
        }
    }
}
