package io.evenkeel.plugins;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.ClusterChanges;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** A cluster, and single plugins that are run on it as a profile would run them. What it tells is by node name. */
public final class PluginHarness {
    private final ClusterState cluster;

    private PluginHarness(FeatureGates gates) {
        cluster = new ClusterState(gates);
    }

    public static PluginHarness cluster(KubernetesObject... objects) {
        return cluster(FeatureGates.DEFAULTS, objects);
    }

    /** The same, where these gates are set. */
    public static PluginHarness cluster(FeatureGates gates, KubernetesObject... objects) {
        PluginHarness harness = new PluginHarness(gates);
        for (KubernetesObject object : objects) {
            harness.put(object);
        }
        return harness;
    }

    public ClusterState state() {
        return cluster;
    }

    public TreeContext context() {
        return new TreeContext(cluster.view(), Optional.empty());
    }

    public TreeContext context(PluginArgs args) {
        return new TreeContext(cluster.view(), Optional.of(args));
    }

    public void put(KubernetesObject object) {
        cluster.put(object);
    }

    public void remove(KubernetesObject object) {
        cluster.remove(object);
    }

    /** Puts the object also into what is known by name; answers what the change is to pods that wait, if anything. */
    public <T extends KubernetesObject> Optional<ClusterChange> put(Map<String, T> known, T object) {
        put(object);
        return ClusterChanges.between(
                Optional.ofNullable(known.put(object.meta().name(), object)), Optional.of(object));
    }

    /** Removes it also from what is known by name. */
    public <T extends KubernetesObject> Optional<ClusterChange> remove(Map<String, T> known, String name) {
        Optional<KubernetesObject> before = Optional.ofNullable(known.remove(name));
        before.ifPresent(this::remove);
        return before.flatMap(_ -> ClusterChanges.between(before, Optional.empty()));
    }

    /** Whether a change wakes a pod that the plugin has turned away; some are none to scheduling, and wake nobody. */
    public boolean wakes(WakeUpPlugin plugin, Pod waiting, Optional<ClusterChange> change) {
        return change.filter(some -> with(
                        waiting,
                        info -> plugin.wakeUps().stream()
                                .anyMatch(wakeUp -> some.isAnyOf(wakeUp.kinds())
                                        && wakeUp.hint().mayHelp(info, some))))
                .isPresent();
    }

    public PreFilterResult preFilter(PreFilterPlugin plugin, Pod pod) {
        return with(pod, info -> plugin.preFilter(new CycleState(), info));
    }

    public Status preScore(PreScorePlugin plugin, Pod pod) {
        return with(
                pod,
                info -> plugin.preScore(new CycleState(), info, cluster.view().nodeInfos()));
    }

    /** Every node's status by the batch form, without PreFilter; each objection that is told must be told once. */
    public Map<String, Status> filterAll(BatchFilterPlugin plugin, Pod pod) {
        return with(pod, info -> {
            Map<String, Status> statuses = new TreeMap<>();
            NodeSet candidates = cluster.view().nodes().present().copy();
            Rejections rejections = Rejections.create().rejections();
            plugin.filterAll(new CycleState(), info, candidates, rejections);
            names(candidates).forEach(name -> statuses.put(name, Status.SUCCESS));
            for (Rejection rejection : rejections.copy()) {
                NodeSetView nodes = rejection.nodes();
                for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                    Status before = statuses.put(cluster.view().nodes().name(node), rejection.status());
                    if (before != null) {
                        throw new AssertionError(
                                cluster.view().nodes().name(node) + " was told of twice, first " + before);
                    }
                }
            }
            return statuses;
        });
    }

    /** Every node's status by the per-node form. */
    public Map<String, Status> filterEach(FilterPlugin plugin, Pod pod) {
        return with(pod, info -> {
            Map<String, Status> statuses = new TreeMap<>();
            CycleState state = new CycleState();
            for (String name : names(cluster.view().nodes().present())) {
                int node = cluster.view().nodes().find(name);
                statuses.put(name, plugin.filter(state, info, cluster.view().nodeInfo(node)));
            }
            return statuses;
        });
    }

    /** The names of the nodes that the batch form lets pass. */
    public Set<String> passing(BatchFilterPlugin plugin, Pod pod) {
        Set<String> passing = new TreeSet<>();
        filterAll(plugin, pod).forEach((name, status) -> {
            if (status.isSuccess()) {
                passing.add(name);
            }
        });
        return passing;
    }

    /** The scores of all nodes, as if all were feasible. */
    public Map<String, Integer> scores(BatchScorePlugin plugin, Pod pod) {
        return scores(plugin, pod, names(cluster.view().nodes().present()));
    }

    public Map<String, Integer> scores(BatchScorePlugin plugin, Pod pod, Set<String> feasible) {
        return with(pod, info -> {
            NodeSet nodes = new NodeSet();
            feasible.forEach(name -> nodes.add(cluster.view().nodes().find(name)));
            NodeScores scores = new NodeScores();
            plugin.scoreAll(new CycleState(), info, nodes, scores);
            Map<String, Integer> byName = new TreeMap<>();
            feasible.forEach(
                    name -> byName.put(name, scores.of(cluster.view().nodes().find(name))));
            return byName;
        });
    }

    public Set<String> names() {
        return names(cluster.view().nodes().present());
    }

    private Set<String> names(NodeSetView nodes) {
        Set<String> names = new TreeSet<>();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            names.add(cluster.view().nodes().name(node));
        }
        return names;
    }

    /** What is made of the pod while it is admitted. */
    public <T> T with(Pod pod, Function<PodInfo, T> act) {
        PodInfo info = cluster.admit(pod);
        try {
            return act.apply(info);
        } finally {
            cluster.dismiss(info);
        }
    }
}
