package io.evenkeel.hollow.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.DeletionOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which order a ReplicaSet's pods go when it is scaled down. */
class DeletionOrderTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    /** A pod that runs on a node of its own, is ready since ten, has never been restarted, and has no cost. */
    private record Traits(
            String name, String node, String phase, String ready, String cost, int restarts, String created) {
        static final Traits USUAL = new Traits("usual", "own", "Running", "10:00", "", 0, "09:00");

        static Traits of(String trait, String name) {
            Traits u = USUAL;
            String value = trait.substring(trait.indexOf(' ') + 1);
            return switch (trait.split(" ", 2)[0]) {
                case "on" -> new Traits(name, value, u.phase, u.ready, u.cost, 0, u.created);
                case "nowhere" -> new Traits(name, "", u.phase, u.ready, u.cost, 0, u.created);
                case "phase" -> new Traits(name, u.node, value, u.ready, u.cost, 0, u.created);
                case "unready" -> new Traits(name, u.node, u.phase, "", u.cost, 0, u.created);
                case "ready" -> new Traits(name, u.node, u.phase, value, u.cost, 0, u.created);
                case "cost" -> new Traits(name, u.node, u.phase, u.ready, value, 0, u.created);
                case "restarts" ->
                    new Traits(name, u.node, u.phase, u.ready, u.cost, Integer.parseInt(value), u.created);
                case "created" -> new Traits(name, u.node, u.phase, u.ready, u.cost, 0, value);
                default -> new Traits(name, u.node, u.phase, u.ready, u.cost, 0, u.created);
            };
        }

        StoredObject pod() {
            String condition = ready.isEmpty()
                    ? ""
                    : "{type: Ready, status: 'True', lastTransitionTime: '2026-01-01T%s:00Z'}".formatted(ready);
            String annotations =
                    cost.isEmpty() ? "" : "'controller.kubernetes.io/pod-deletion-cost': '%s'".formatted(cost);
            return StoredObject.unsaved(new ObjectKey("pods", "default", name), Trees.parse("""
                    {metadata: {name: '%1$s', uid: '%1$s', creationTimestamp: '2026-01-01T%2$s:00Z', annotations: {%3$s}},
                     spec: {nodeName: '%4$s'},
                     status: {phase: '%5$s', conditions: [%6$s], containerStatuses: [{name: c, restartCount: %7$d}]}}""".formatted(
                            name, created, annotations, node, phase, condition, restarts)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nowhere, phase Pending",
        "phase Pending, phase Unknown",
        "phase Unknown, unready",
        "unready, cost -5",
        "cost -5, usual",
        "cost +5, cost 5", // a plus makes it no number, and that is 0
        "cost 007, cost 1",
        "cost 5x, cost 1",
        "cost -1, on full",
        "on full, ready 11:59",
        "ready 11:00, usual",
        "ready 11:00, restarts 3",
        "restarts 3, created 11:00",
        "created 11:00, usual",
    })
    void oneGoesBeforeTheOther(String first, String second) {
        StoredObject neighbour = Traits.of("on full", "neighbour").pod();
        StoredObject one = Traits.of(first, "z").pod();
        StoredObject other = Traits.of(second, "a").pod();

        DeletionOrder order = order(neighbour, one, other);

        assertThat(order.first(1, List.of(other, one), DeletionOrderTest::candidate))
                .containsExactly(one);
        assertThat(order.first(5, List.of(one, other), DeletionOrderTest::candidate))
                .containsExactly(one, other);
    }

    @Test
    void ofPodsAboutAsOldAsEachOtherTheUidDecides() {
        StoredObject later = Traits.of("ready 10:30", "z").pod();
        StoredObject earlier = Traits.of("ready 10:20", "a").pod();

        assertThat(order().first(1, List.of(later, earlier), DeletionOrderTest::candidate))
                .containsExactly(earlier);
    }

    /** As many as a sort would look at closely. */
    @Test
    void takesPodsWhoseOrderGoesRoundInACircle() {
        List<StoredObject> pods = new ArrayList<>();
        for (int i : IntStream.range(0, 400).toArray()) {
            Traits u = Traits.USUAL;
            String ready = "10:" + (10 + i % 3);
            pods.add(new Traits("p" + (i * 7919 % 400), u.node, u.phase, ready, "", i % 5, u.created).pod());
        }
        Collections.shuffle(pods, new Random(1));

        assertThat(order().first(400, pods, DeletionOrderTest::candidate)).hasSameElementsAs(pods);
    }

    private static DeletionOrder order(StoredObject... related) {
        return new DeletionOrder(Stream.of(related).map(PodState::node).toList(), NOW);
    }

    private static DeletionOrder.Candidate candidate(StoredObject pod) {
        return PodState.candidate(pod, NOW);
    }
}
