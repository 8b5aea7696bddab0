package io.evenkeel.engine.group.room;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.engine.decision.NodeVerdicts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * How many of a gang could have a seat at most if no other pod were anywhere, by what each node offers and whom it turns away
 * whoever is there. It costs a question for each shape and a look at each node, and says no to most gangs that are too large,
 * before anybody is taken away for them.
 *
 * <pre>
 *   3 nodes of 4 cpus, one of them with a taint    a gang of 5 pods of 2 cpus     4 at most
 * </pre>
 */
final class Ceiling {
    private final NodeTable table;
    private final Function<PodInfo, NodeVerdicts> judges;
    private final ClusterView cluster;

    Ceiling(ClusterView cluster, Function<PodInfo, NodeVerdicts> judges) {
        this.cluster = cluster;
        this.table = cluster.nodes();
        this.judges = judges;
    }

    long of(List<PodInfo> pods) {
        Map<Object, List<PodInfo>> byShape = new LinkedHashMap<>();
        pods.forEach(pod ->
                byShape.computeIfAbsent(pod.interned(), _ -> new ArrayList<>()).add(pod));
        NodeSet anywhere = new NodeSet();
        List<PodInfo> firsts = new ArrayList<>();
        long byKinds = 0;
        for (List<PodInfo> alike : byShape.values()) {
            NodeSetView nodes = nodesOf(alike.getFirst());
            anywhere.addAll(nodes);
            firsts.add(alike.getFirst());
            byKinds += room(nodes, List.of(alike.getFirst()), alike.size());
        }
        return byShape.size() == 1 ? byKinds : Math.min(byKinds, room(anywhere, firsts, pods.size()));
    }

    /** Of a pod with volumes or claims others of its shape may say nothing. */
    private NodeSetView nodesOf(PodInfo pod) {
        NodeVerdicts judge = judges.apply(pod);
        if (!pod.pod().spec().volumes().isEmpty()
                || !pod.pod().spec().resourceClaims().isEmpty()) {
            return table.present();
        }
        judge.ask(pod);
        return judge.mayFitWithoutOthers();
    }

    /** Returns how many pods have room there, if each asks for at least as much as one of these; no more than so many. */
    private long room(NodeSetView nodes, List<PodInfo> kinds, int most) {
        if (!kinds.stream().allMatch(kind -> judges.apply(kind).askPlugin(NodeVerdicts.RESOURCES))) {
            return nodes.isEmpty() ? 0 : most;
        }
        PodShape first = kinds.getFirst().shape();
        ResourceVector requests = first.resources().value().requests();
        long room = 0;
        long[] least = new long[requests.size()];
        for (int i = 0; i < least.length; i++) {
            least[i] = least(requests.resourceAt(i), kinds);
        }
        for (int node = nodes.first(); node >= 0 && room < most; node = nodes.next(node + 1)) {
            long here = table.allowedPods(node);
            for (int i = 0; i < least.length; i++) {
                if (least[i] > 0) {
                    here = Math.min(here, table.allocatable(requests.resourceAt(i), node) / least[i]);
                }
            }
            room += here;
        }
        return Math.min(room, most);
    }

    /** 0 where one of them may have any amount. */
    private long least(int resource, List<PodInfo> kinds) {
        String name = cluster.resources().nameOf(resource);
        return kinds.stream()
                .mapToLong(kind -> judges.apply(kind).limit(name)
                        ? kind.shape().resources().value().requests().amountOf(resource)
                        : 0)
                .min()
                .orElse(0);
    }
}
