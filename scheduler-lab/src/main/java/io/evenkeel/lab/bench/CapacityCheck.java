package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.Placements.Placement;
import io.evenkeel.model.Container;
import io.evenkeel.model.Node;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.problem.UserProblem;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** Checks that the containers on no node ask for more than it has to give, and that it has no more pods than it allows. */
final class CapacityCheck {
    private static final String PODS = "pods";

    private CapacityCheck() {}

    static void check(Placements placements) {
        IdentityHashMap<Node, Map<String, Quantity>> usage = new IdentityHashMap<>();
        for (Placement placement : placements.all()) {
            Map<String, Quantity> used = usage.computeIfAbsent(placement.node(), node -> new HashMap<>());
            used.merge(PODS, Quantity.of(1), Quantity::plus);
            for (Container container : placement.pod().spec().containers()) {
                container.requests().forEach((resource, amount) -> used.merge(resource, amount, Quantity::plus));
            }
        }
        usage.forEach((node, used) -> used.forEach((resource, amount) -> {
            Quantity allocatable = node.allocatable().getOrDefault(resource, Quantity.ZERO);
            if (amount.compareTo(allocatable) > 0) {
                throw new UserProblem("node " + node.name() + " is overcommitted: " + amount + " of " + resource
                        + " requested, " + allocatable + " allocatable");
            }
        }));
    }
}
