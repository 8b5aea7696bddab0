package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.plugins.podtopologyspread.ConstraintCompiler.CompiledConstraints;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's default constraints, for pods that have none of their own. They spread a pod from those that the same
 * Services and the same controller select; a pod that none selects is not spread.
 *
 * <p>The peers are looked up for each pod, since Services come and go; what follows from them is kept for as many
 * different peers as {@link #CAPACITY}. Of a large pod, or of peers who take many words, it is kept for as long as such a pod is
 * there.
 */
final class DefaultConstraints {
    private static final int CAPACITY = 4096;
    private static final int MOST_WEIGHT = 2;
    private static final int MOST_WORDS = 32;

    private static final List<TopologySpreadConstraint> SYSTEM =
            List.of(soft(3, Node.HOSTNAME), soft(5, "topology.kubernetes.io/zone"));

    /** As arguments have them: their selectors are deduced pod by pod. */
    record Written(List<TopologySpreadConstraint> constraints, boolean requireAllKeys) {
        static Written by(PodTopologySpreadArgs args) {
            boolean system = args.defaultingType() == PodTopologySpreadArgs.DefaultingType.SYSTEM;
            return new Written(system ? SYSTEM : args.defaultConstraints(), !system);
        }
    }

    private record Key(
            String namespace, LabelSelector peers, Facet<NodeRequirement> nodes, Facet<Tolerations> tolerations) {}

    private final ClusterView cluster;
    private final ConstraintCompiler compiler;
    private final List<TopologySpreadConstraint> constraints;
    private final boolean requireAllKeys;
    private final Map<Key, CompiledConstraints> compiled = new LinkedHashMap<>(16, 0.75f, true);
    private final FacetCache<PodShape, OfLarge> ofLarge;

    /** The last answer for a shape. */
    private static final class OfLarge {
        private @Nullable Key key;
        private CompiledConstraints compiled = CompiledConstraints.NONE;
    }

    DefaultConstraints(ClusterView cluster, ConstraintCompiler compiler, PodTopologySpreadArgs args) {
        this.cluster = cluster;
        this.compiler = compiler;
        Written written = Written.by(args);
        this.constraints = written.constraints();
        this.requireAllKeys = written.requireAllKeys();
        this.ofLarge = new FacetCache<>(
                cluster.shapes().shapes(), CAPACITY, _ -> new OfLarge(), large -> compiler.release(large.compiled));
        constraints.forEach(this::keepTopologies);
    }

    /** From the first node on: to tell the domains of a hundred thousand apart takes tens of milliseconds of a pod's turn. */
    private void keepTopologies(TopologySpreadConstraint constraint) {
        String label = constraint.topologyKey();
        cluster.counters().acquireTopology(new Topology.Key(label, false));
        if (!requireAllKeys && !label.equals(Node.HOSTNAME)) {
            cluster.counters().acquireTopology(new Topology.Key(label, true));
        }
    }

    /** The kinds that tell which pods belong together; none without default constraints. */
    Set<Kind<?>> reads() {
        return constraints.isEmpty()
                ? Set.of()
                : Set.of(Kinds.SERVICE, Kinds.REPLICATION_CONTROLLER, Kinds.REPLICA_SET, Kinds.STATEFUL_SET);
    }

    CompiledConstraints of(PodInfo pod) {
        if (constraints.isEmpty()) {
            return CompiledConstraints.NONE;
        }
        LabelSelector peers = cluster.workloads().selectorOfPeers(pod.pod());
        if (peers.matchesEverything()) {
            return CompiledConstraints.NONE;
        }
        if (pod.shape().weight() > MOST_WEIGHT || hasManyWords(peers)) {
            return compiled(ofLarge.get(pod.interned()), keyOf(pod, peers));
        }
        CompiledConstraints known = compiled.get(keyOf(pod, peers));
        return known != null ? known : compileAndKeep(keyOf(pod, peers));
    }

    private static Key keyOf(PodInfo pod, LabelSelector peers) {
        return new Key(
                pod.pod().namespace(),
                peers,
                pod.shape().nodeRequirement(),
                pod.shape().tolerations());
    }

    private CompiledConstraints compileAndKeep(Key key) {
        CompiledConstraints made = compile(key);
        compiled.put(key, made);
        if (compiled.size() > CAPACITY) {
            Iterator<CompiledConstraints> leastRecentlyUsedFirst =
                    compiled.values().iterator();
            compiler.release(leastRecentlyUsedFirst.next());
            leastRecentlyUsedFirst.remove();
        }
        return made;
    }

    private static boolean hasManyWords(LabelSelector selector) {
        List<LabelRequirement> requirements = selector.requirements();
        int words = requirements.size();
        for (int i = 0; i < requirements.size(); i++) {
            words += requirements.get(i).values().size();
        }
        return words > MOST_WORDS;
    }

    private CompiledConstraints compiled(OfLarge large, Key key) {
        if (!key.equals(large.key)) {
            compiler.release(large.compiled);
            large.compiled = compile(key);
            large.key = key;
        }
        return large.compiled;
    }

    private CompiledConstraints compile(Key key) {
        List<TopologySpreadConstraint> forPeers = constraints.stream()
                .map(constraint -> constraint.withSelector(key.peers()))
                .toList();
        return compiler.compile(
                forPeers,
                requireAllKeys,
                new SpreadCounters.Owner(
                        key.namespace(), key.nodes().value(), key.tolerations().value()));
    }

    private static TopologySpreadConstraint soft(int maxSkew, String topologyKey) {
        return TopologySpreadConstraint.of(
                maxSkew, topologyKey, WhenUnsatisfiable.SCHEDULE_ANYWAY, LabelSelector.NOTHING);
    }
}
