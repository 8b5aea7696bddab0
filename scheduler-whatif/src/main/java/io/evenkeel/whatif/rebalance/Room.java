package io.evenkeel.whatif.rebalance;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.rebalance.PodKinds.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What nodes have left once all pods of some kinds have gone that may move. */
final class Room {
    /** Others are taken for plentiful: whoever may create pods may make up names. */
    private static final int MOST_RESOURCES = 16;

    private final ClusterSnapshot snapshot;
    private final ClusterView view;
    /** By resource and node, what those that are gone took; how many they were by node. */
    private final Map<Integer, long[]> freed = new HashMap<>();

    private final int[] gone;

    Room(ClusterSnapshot snapshot, List<Kind> leaving) {
        this.snapshot = snapshot;
        view = snapshot.view();
        gone = new int[view.nodes().end()];
        for (Kind kind : leaving) {
            if (kind.mayMove()) {
                ResourceVector requests = requestsOf(kind);
                kind.all().forEach(pod -> {
                    int node = view.pods().node(view.pods().find(pod.key()));
                    gone[node]++;
                    for (int i = 0; i < requests.size() && i < MOST_RESOURCES; i++) {
                        free(requests.resourceAt(i), node, requests.amountAt(i));
                    }
                });
            }
        }
    }

    private void free(int resource, int node, long amount) {
        if (freed.containsKey(resource) || freed.size() < MOST_RESOURCES) {
            freed.computeIfAbsent(resource, _ -> new long[gone.length])[node] += amount;
        }
    }

    private ResourceVector requestsOf(Kind kind) {
        return view.pods()
                .shape(view.pods().find(kind.pod().key()))
                .value()
                .resources()
                .value()
                .requests();
    }

    /** By node of the workload, for how many of its pods that may move there is room, if they are those that ask for the least. */
    int[] slots(Workload workload) {
        List<Kind> moving = workload.kinds.stream().filter(Kind::mayMove).toList();
        boolean isLimited = moving.stream()
                .allMatch(kind -> snapshot.ask(kind.pod(), (judge, _) -> judge.askPlugin(NodeVerdicts.RESOURCES)));
        int[] slots = new int[workload.nodes.length];
        if (moving.isEmpty() || !isLimited) {
            Arrays.fill(slots, Integer.MAX_VALUE);
            return slots;
        }
        List<Asked> all = new ArrayList<>();
        freed.forEach((resource, amounts) -> {
            long least = moving.stream()
                    .mapToLong(kind -> requestsOf(kind).amountOf(resource))
                    .min()
                    .orElse(0);
            boolean counts = moving.stream()
                    .allMatch(kind -> snapshot.ask(
                            kind.pod(),
                            (judge, _) -> judge.limit(view.resources().nameOf(resource))));
            if (counts && least > 0) {
                all.add(new Asked(resource, least, amounts));
            }
        });
        for (int i = 0; i < slots.length; i++) {
            slots[i] = slots(workload.nodes[i], all);
        }
        return slots;
    }

    /** A resource that each of the pods asks for, and what of it is freed by node. */
    private record Asked(int resource, long least, long[] freed) {}

    private int slots(int node, List<Asked> all) {
        NodeTable table = view.nodes();
        long slots = (long) table.allowedPods(node) - table.podCount(node) + gone[node];
        for (Asked asked : all) {
            long offered = table.allocatable(asked.resource(), node);
            // what a node does not offer itself may come from elsewhere, as with devices
            if (offered > 0) {
                long left = offered - table.requested(asked.resource(), node) + asked.freed()[node];
                slots = Math.min(slots, left / asked.least());
            }
        }
        return (int) Math.max(0, slots);
    }
}
