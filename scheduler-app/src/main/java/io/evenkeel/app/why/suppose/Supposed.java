package io.evenkeel.app.why.suppose;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.framework.remedy.MaxSkew;
import io.evenkeel.framework.remedy.MinDomains;
import io.evenkeel.framework.remedy.MoreOffered;
import io.evenkeel.framework.remedy.NodeAdded;
import io.evenkeel.framework.remedy.PodGone;
import io.evenkeel.framework.remedy.SpreadPreferred;
import io.evenkeel.framework.remedy.TaintRemoved;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** A pod and its cluster, of which changes are supposed. */
record Supposed(Pod pod, ClusterView cluster) {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern LABEL_KEY =
            Pattern.compile("([-.a-z0-9]{1,253}/)?[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?");

    Node node(String name) {
        int id = cluster.nodes().findPresent(name);
        if (id < 0) {
            throw new SuppositionException("there is no node " + name);
        }
        return cluster.nodes().node(id);
    }

    /** @param where a zone, or a label as key=value; empty for the same */
    Change nodeLike(String like, String where) {
        Node model = node(like);
        String name = like + "-more";
        while (cluster.nodes().findPresent(name) >= 0) {
            name += "-more";
        }
        NodeBuilder copy = NodeBuilder.like(model, name);
        if (where.isEmpty()) {
            return NodeAdded.like(like, copy.build(), "", cluster);
        }
        int equals = where.indexOf('=');
        String key = equals < 0 ? ZONE : where.substring(0, equals);
        String value = where.substring(equals + 1);
        if (!LABEL_KEY.matcher(key).matches() || !LABEL_VALUE.matcher(value).matches()) {
            throw new SuppositionException("\"" + where + "\" is neither a zone nor a label");
        }
        return NodeAdded.like(like, copy.label(key, value).build(), "with " + key + "=" + value, cluster);
    }

    Change more(String amount, String resource, String node) {
        Quantity offered = node(node).allocatable().getOrDefault(resource, Quantity.ZERO);
        Quantity more;
        try {
            more = Quantity.parse(amount);
        } catch (IllegalArgumentException noQuantity) {
            throw new SuppositionException("\"" + amount + "\" is no quantity of " + resource);
        }
        boolean isCpu = resource.equals(ResourceNames.CPU_NAME);
        long there = isCpu ? offered.milliValue() : offered.value();
        long added = isCpu ? more.milliValue() : more.value();
        if (added <= 0 || there + added < there) {
            throw new SuppositionException("no node can offer " + amount + " more " + resource);
        }
        return new MoreOffered(node, resource, there, added);
    }

    Change gone(String name) {
        String key = name.contains("/") ? name : pod.namespace() + "/" + name;
        int row = cluster.pods().find(key);
        if (row == PodTable.NONE) {
            throw new SuppositionException("there is no pod " + key + " on a node");
        }
        Pod there = cluster.pods().pod(row);
        return new PodGone(there, there.spec().nodeName());
    }

    List<Change> withoutTaint(String key, String node) {
        List<Change> removed = node(node).taints().stream()
                .filter(taint -> taint.key().equals(key))
                .<Change>map(taint -> new TaintRemoved(node, taint))
                .toList();
        if (removed.isEmpty()) {
            throw new SuppositionException("node " + node + " has no taint " + key);
        }
        return removed;
    }

    static Taint taint(String key, String value, String effect) {
        return Arrays.stream(TaintEffect.values())
                .filter(known -> known.apiName().equals(effect))
                .map(known -> new Taint(key, value, known))
                .findFirst()
                .orElseThrow(() -> new SuppositionException("\"" + effect + "\" is no effect of a taint"));
    }

    /** @param key of the constraints that are meant; empty for all that must be kept */
    List<Change> maxSkew(int skew, String key) {
        return constraints(
                key,
                (index, constraint) ->
                        new MaxSkew(index, constraint.topologyKey(), constraint.maxSkew(), Math.max(1, skew)));
    }

    List<Change> minDomains(int domains, String key) {
        return constraints(
                key,
                (index, constraint) ->
                        new MinDomains(index, constraint.topologyKey(), constraint.minDomains(), Math.max(1, domains)));
    }

    List<Change> preferred(String key) {
        return constraints(key, (index, constraint) -> new SpreadPreferred(index, constraint.topologyKey()));
    }

    private List<Change> constraints(String key, BiFunction<Integer, TopologySpreadConstraint, Change> change) {
        List<TopologySpreadConstraint> all = pod.spec().topologySpread();
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isHard()
                    && (key.isEmpty() || all.get(i).topologyKey().equals(key))) {
                changes.add(change.apply(i, all.get(i)));
            }
        }
        return changes;
    }
}
