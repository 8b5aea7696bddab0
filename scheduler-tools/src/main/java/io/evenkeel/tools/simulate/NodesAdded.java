package io.evenkeel.tools.simulate;

import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * So many nodes more like one that there is, with its DaemonSets' pods and no others, without its cordon and the taints of a
 * node that is not well.
 *
 * @param like the name of that node
 * @param zone that they are in, where it is not that one's
 */
record NodesAdded(int count, String like, Optional<String> zone) implements ClusterChange {
    @Override
    public void apply(ChangedCluster cluster) {
        Node model = node(cluster, "--like", like);
        List<Pod> daemons = cluster.picture().pods().stream()
                .filter(pod -> pod.spec().nodeName().equals(like)
                        && pod.meta()
                                .controller()
                                .filter(owner -> owner.kind().equals(Workload.DAEMON_SET))
                                .isPresent())
                .toList();
        Set<String> taken = taken(cluster.picture());
        int number = 0;
        for (int i = 0; i < count; i++) {
            String name = "";
            do {
                name = like + "-new-" + ++number;
            } while (taken.contains(name));
            add(cluster, model, daemons, name);
        }
        cluster.changed(count + (count == 1 ? " node" : " nodes") + " more like " + like
                + zone.map(in -> " in zone " + in).orElse("")
                + (daemons.isEmpty() ? "" : ", with " + daemons.size() + " of DaemonSets' pods each"));
    }

    /** Names of nodes there are, and of nodes that pods are still said to be on: those would be on the new one. */
    private static Set<String> taken(ClusterPicture picture) {
        Set<String> taken = new HashSet<>();
        picture.nodes().forEach(node -> taken.add(node.name()));
        picture.pods().forEach(pod -> taken.add(pod.spec().nodeName()));
        return taken;
    }

    static Node node(ChangedCluster cluster, String option, String name) {
        return (Node) cluster.picture()
                .find("Node", name)
                .orElseThrow(() -> new UserProblem(option + " " + name + ": there is no such node"
                        + NearestName.hint(
                                name,
                                cluster.picture().nodes().stream()
                                        .map(Node::name)
                                        .toList())));
    }

    private void add(ChangedCluster cluster, Node model, List<Pod> daemons, String name) {
        NodeBuilder node = NodeBuilder.like(model, name).uid("simulated:" + name);
        zone.ifPresent(node::zone);
        cluster.picture().put(node.build());
        cluster.picture()
                .find("CSINode", like)
                .map(CsiNode.class::cast)
                .ifPresent(drivers ->
                        cluster.picture().put(new CsiNode(drivers.meta().ofAnother(name), drivers.limits())));
        for (Pod daemon : daemons) {
            OwnerReference owner = daemon.meta().controller().orElseThrow();
            cluster.picture()
                    .put(PodBuilder.from(daemon)
                            .name(Letters.name(owner.name() + "-" + name + "-", 0))
                            .uid("simulated:" + daemon.namespace() + ":" + owner.name() + ":" + name)
                            .nodeName(name)
                            .build());
        }
    }
}
