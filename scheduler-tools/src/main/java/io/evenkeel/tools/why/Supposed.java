package io.evenkeel.tools.why;

import io.evenkeel.app.option.PodName;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.LoweredRequests;
import io.evenkeel.cluster.shape.PodRequests.SpecifiedResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.NodeChange.MoreOffered;
import io.evenkeel.framework.why.NodeChange.TaintRemoved;
import io.evenkeel.framework.why.NodeChange.Uncordoned;
import io.evenkeel.framework.why.PodChange.LessAsked;
import io.evenkeel.framework.why.PodChange.MaxSkew;
import io.evenkeel.framework.why.PodChange.MinDomains;
import io.evenkeel.framework.why.PodChange.SpreadPreferred;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.tools.why.Supposition.SuppositionException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A pod and its cluster under supposed changes.
 *
 * @param before the changes supposed already
 */
record Supposed(Pod pod, ClusterView cluster, List<Change> before) {
    private static final String ZONE = "topology.kubernetes.io/zone";
    /** Of what all nodes have there are sums. */
    private static final long MOST_OFFERED = Long.MAX_VALUE / 4;

    /** The resources that every pod takes some of, or counts as taking some of. */
    private static final Set<String> OF_EVERY_POD =
            Set.of(ResourceNames.CPU_NAME, ResourceNames.MEMORY_NAME, ResourceNames.PODS_NAME);

    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern LABEL_KEY =
            Pattern.compile("([-.a-z0-9]{1,253}/)?[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?");

    /** A node of the cluster, or one that is supposed. */
    private Node node(String name) {
        return before.stream()
                .filter(NodeAdded.class::isInstance)
                .map(added -> ((NodeAdded) added).node())
                .filter(added -> added.name().equals(name))
                .findFirst()
                .orElseGet(() -> nodeInPlace(name));
    }

    private Node nodeInPlace(String name) {
        int id = cluster.nodes().findPresent(name);
        if (id < 0) {
            throw new SuppositionException("there is no node " + Excerpt.of(name));
        }
        return cluster.nodes().node(id);
    }

    /** @param where a zone, or a label as key=value; empty for the same */
    Change nodeLike(String like, String where) {
        NodeBuilder copy = NodeBuilder.copy(nodeInPlace(like), this::isKnown);
        if (where.isEmpty()) {
            return NodeAdded.like(like, copy.build(), "", cluster);
        }
        int equals = where.indexOf('=');
        String key = equals < 0 ? ZONE : where.substring(0, equals);
        String value = where.substring(equals + 1);
        if (!LABEL_KEY.matcher(key).matches() || !LABEL_VALUE.matcher(value).matches()) {
            throw new SuppositionException(Excerpt.quoted(where) + " is neither a zone nor a label");
        }
        return NodeAdded.like(like, copy.label(key, value).build(), "with " + key + "=" + value, cluster);
    }

    private boolean isKnown(String node) {
        return cluster.nodes().find(node) >= 0
                || before.stream()
                        .anyMatch(change -> change instanceof NodeAdded added
                                && added.node().name().equals(node));
    }

    Change more(String amount, String resource, String node) {
        Quantity offered = node(node).allocatable().getOrDefault(resource, Quantity.ZERO);
        Quantity more = Amounts.change("more", amount, resource);
        requireWanted(resource);
        requireOnce(
                "more " + resource + " on " + node,
                change -> change instanceof MoreOffered other
                        && other.node().equals(node)
                        && other.resource().equals(resource));
        long there = counted(offered, resource);
        long added = counted(more, resource);
        if (added <= 0 || added > MOST_OFFERED - there) {
            throw new SuppositionException("no node can offer " + Excerpt.of(amount) + " more " + resource);
        }
        return new MoreOffered(node, resource, there, added);
    }

    private static long counted(Quantity amount, String resource) {
        return resource.equals(ResourceNames.CPU_NAME) ? amount.milliValue() : amount.value();
    }

    Change less(String amount, String resource) {
        long less = counted(Amounts.change("less", amount, resource), resource);
        requireOnce(
                "less " + resource,
                change -> change instanceof LessAsked other && other.resource().equals(resource));
        return LessAsked.of(pod, resource, less)
                .orElseThrow(() -> new SuppositionException("pod " + pod.key() + " cannot ask for "
                        + Excerpt.of(amount) + " less " + Excerpt.of(resource) + ": it asks for "
                        + ResourceNames.text(resource, LoweredRequests.asked(pod, resource))
                        + ", of which each container keeps some, and overhead all"));
    }

    /** More of what no plugin would look at changes nothing, and is a slip of the pen. */
    private void requireWanted(String resource) {
        Set<String> wanted = new TreeSet<>(SpecifiedResources.requests(pod).keySet());
        wanted.addAll(OF_EVERY_POD);
        if (!wanted.contains(resource)) {
            throw new SuppositionException("pod " + pod.key() + " takes no " + Excerpt.of(resource)
                    + "; what it takes is " + String.join(", ", wanted));
        }
    }

    Change gone(PodName name) {
        String key = name.in(pod.namespace());
        if (key.equals(pod.key())) {
            throw new SuppositionException(
                    "pod " + key + " is the one that is asked about, and is taken from its node in any case");
        }
        int row = cluster.pods().find(key);
        if (row == PodTable.NONE) {
            throw new SuppositionException("there is no pod " + Excerpt.of(key) + " on a node");
        }
        Pod there = cluster.pods().pod(row);
        return new PodGone(there, there.spec().nodeName());
    }

    Change uncordoned(String name) {
        if (!node(name).unschedulable()) {
            throw new SuppositionException("node " + name + " is not cordoned");
        }
        return new Uncordoned(name);
    }

    List<Change> withoutTaint(String key, String node) {
        List<Change> removed = node(node).taints().stream()
                .filter(taint -> taint.key().equals(key))
                .<Change>map(taint -> new TaintRemoved(node, taint))
                .toList();
        if (removed.isEmpty()) {
            throw new SuppositionException("node " + node + " has no taint " + Excerpt.of(key));
        }
        return removed;
    }

    /** @param key of the constraints that are meant; empty for all that must be kept */
    List<Change> maxSkew(int skew, String key) {
        requireOnce("maxSkew", change -> change instanceof MaxSkew other && isOver(other.topologyKey(), key));
        return constraints(
                key,
                (index, constraint) -> new MaxSkew(index, constraint.topologyKey(), constraint.maxSkew(), skew),
                constraint -> constraint.maxSkew() != skew);
    }

    List<Change> minDomains(int domains, String key) {
        requireOnce("minDomains", change -> change instanceof MinDomains other && isOver(other.topologyKey(), key));
        return constraints(
                key,
                (index, constraint) ->
                        new MinDomains(index, constraint.topologyKey(), constraint.minDomains(), domains),
                constraint -> constraint.minDomains() != domains);
    }

    List<Change> preferred(String key) {
        return constraints(key, (index, constraint) -> new SpreadPreferred(index, constraint.topologyKey()), _ -> true);
    }

    private static boolean isOver(String topologyKey, String meant) {
        return meant.isEmpty() || topologyKey.equals(meant);
    }

    private void requireOnce(String what, Predicate<Change> same) {
        if (before.stream().anyMatch(same)) {
            throw new SuppositionException(what + " is supposed twice, and one would undo the other");
        }
    }

    private List<Change> constraints(
            String key,
            BiFunction<Integer, TopologySpreadConstraint, Change> change,
            Predicate<TopologySpreadConstraint> isOther) {
        List<TopologySpreadConstraint> all = pod.spec().topologySpread();
        List<Change> changes = new ArrayList<>();
        Set<String> keys = new TreeSet<>();
        for (int i = 0; i < all.size(); i++) {
            TopologySpreadConstraint constraint = all.get(i);
            if (constraint.isHard()) {
                keys.add(constraint.topologyKey());
                if (isOver(constraint.topologyKey(), key) && isOther.test(constraint)) {
                    changes.add(change.apply(i, constraint));
                }
            }
        }
        if (!key.isEmpty() && !keys.contains(key)) {
            throw new SuppositionException("pod " + pod.key() + " has no spread constraint over " + Excerpt.of(key)
                    + " that must be kept" + (keys.isEmpty() ? "" : "; it has over " + String.join(", ", keys)));
        }
        return changes;
    }

    /** Numbers that are supposed, within what can be. */
    static final class Amounts {
        private static final BigInteger MOST = BigInteger.valueOf(Integer.MAX_VALUE);

        private Amounts() {}

        static int count(String field, String text) {
            BigInteger number = new BigInteger(text);
            if (number.signum() <= 0 || number.compareTo(MOST) > 0) {
                throw new SuppositionException(field + " must be from 1 to " + MOST + ", got " + Excerpt.of(text));
            }
            return number.intValueExact();
        }

        static Quantity change(String which, String text, String resource) {
            Quantity change;
            try {
                change = Quantity.parse(text);
            } catch (IllegalArgumentException noQuantity) {
                throw new SuppositionException(Excerpt.quoted(text) + " is no quantity of " + Excerpt.of(resource));
            }
            if (change.compareTo(Quantity.ZERO) <= 0) {
                throw new SuppositionException(
                        which + " " + Excerpt.of(resource) + " must be more than 0, got " + Excerpt.of(text));
            }
            return change;
        }
    }
}
