package io.evenkeel.shard;

import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.Profile;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which engine decides a pod: one of a shard's, where all that the pod depends on lies in one shard each, or the overseer. This is the
 * table of docs/adr/019-shards.md. Where it does not know, it says more shards, or the overseer: that costs time, and places
 * nothing wrong.
 */
public final class Reach {
    private static final String SPREAD = "PodTopologySpread";

    /** What is known of the cluster at the moment. */
    public interface Facts {
        /** Whether the pod is in a gang, as it waits or is placed. */
        boolean isInGang(Pod pod);

        /** Whether it asks for extended resources that stand for devices. */
        boolean asksForDevices(Pod pod);

        /** Whether a PlacementPolicy is about it. */
        boolean isUnderPolicy(Pod pod);

        /** The claim for a volume; empty where there is none of that name. */
        Optional<PersistentVolumeClaim> claim(String namespace, String name);

        /** The shard of the node of that name; empty where it is not known. */
        OptionalInt shardOf(String node);

        /** The topology key of another's anti-affinity that reaches across and matches the pod; empty where there is none. */
        Optional<String> foreignTerm(Pod pod);
    }

    /** Who decides a pod. */
    public sealed interface Answer {}

    /**
     * The overseer, which sees all nodes.
     *
     * @param reason why, as a clause about the pod
     */
    public record ToOverseer(String reason) implements Answer {}

    /**
     * One of these shards; one at least.
     *
     * @param shards in the order in which they try the pod
     */
    public record ToShards(List<Integer> shards) implements Answer {
        public ToShards {
            shards = List.copyOf(shards);
        }
    }

    private final ShardMap map;
    private final Facts facts;
    private final Set<String> spreadingByDefault;
    private final long all;

    /** @param profiles by which pods are scheduled */
    public Reach(ShardMap map, Collection<Profile> profiles, Facts facts) {
        this.map = map;
        this.facts = facts;
        spreadingByDefault = profiles.stream()
                .filter(Reach::spreadsByDefault)
                .map(Profile::schedulerName)
                .collect(Collectors.toUnmodifiableSet());
        all = -1L >>> (Long.SIZE - map.count());
    }

    private static boolean spreadsByDefault(Profile profile) {
        return profile.argsOf(SPREAD)
                .filter(args -> args instanceof PodTopologySpreadArgs spread
                        && spread.defaultConstraints().stream().anyMatch(TopologySpreadConstraint::isHard))
                .isPresent();
    }

    public Answer of(Pod pod) {
        long left = shardsLeftTo(pod);
        Optional<String> reachesAcross = reachesAcross(pod, left);
        return reachesAcross.isPresent() ? new ToOverseer(reachesAcross.get()) : new ToShards(inOrder(pod, left));
    }

    /** The shard of the node that the pod's status names: others have gone for it there. */
    public OptionalInt nominatedShard(Pod pod) {
        String node = pod.status().nominatedNodeName();
        return node.isEmpty() ? OptionalInt.empty() : facts.shardOf(node);
    }

    /** Where no shard is left the first one says why. */
    private List<Integer> inOrder(Pod pod, long left) {
        int[] ring = map.ring(pod);
        List<Integer> order = new ArrayList<>(Long.bitCount(left));
        for (int shard : ring) {
            if (((left >>> shard) & 1) != 0) {
                order.add(shard);
            }
        }
        return order.isEmpty() ? List.of(ring[0]) : order;
    }

    private Optional<String> reachesAcross(Pod pod, long left) {
        if (facts.isInGang(pod)) {
            return Optional.of("it is in a gang");
        }
        if (!pod.spec().resourceClaims().isEmpty() || facts.asksForDevices(pod)) {
            return Optional.of("it claims devices");
        }
        if (facts.isUnderPolicy(pod)) {
            return Optional.of("a PlacementPolicy is about it");
        }
        return byVolume(pod, Reach::byClaim)
                .or(() -> bySpread(pod, left))
                .or(() -> byAffinity(pod))
                .or(() -> facts.foreignTerm(pod)
                        .map(key -> "the required anti-affinity by " + key + " of another pod matches it"));
    }

    /** Which of its claims is not bound, as far as is known: the overseer alone has them bound. */
    Optional<String> unbound(Pod pod) {
        return byVolume(pod, Reach::unbound);
    }

    private Optional<String> byVolume(Pod pod, Function<PersistentVolumeClaim, Optional<String>> byClaim) {
        List<PodVolume> volumes = pod.spec().volumes();
        for (int i = 0; i < volumes.size(); i++) {
            Optional<String> reason = volumes.get(i)
                    .claimOf(pod)
                    .flatMap(name -> facts.claim(pod.namespace(), name))
                    .flatMap(byClaim);
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unbound(PersistentVolumeClaim claim) {
        return claim.isBound()
                ? Optional.empty()
                : Optional.of("its claim " + claim.meta().name() + " is not bound");
    }

    private static Optional<String> byClaim(PersistentVolumeClaim claim) {
        if (!claim.isBound()) {
            return unbound(claim);
        }
        return claim.terms().accessModes().contains(VolumeTerms.READ_WRITE_ONCE_POD)
                ? Optional.of("its claim " + claim.meta().name() + " is " + VolumeTerms.READ_WRITE_ONCE_POD)
                : Optional.empty();
    }

    /**
     * Pods are counted on the nodes of one shard where these are the only ones that the pod may be on. But where there is an overseer, it may
     * have asked for a place there for another pod, and of two that count each other one must be decided after the other.
     */
    private Optional<String> bySpread(Pod pod, long left) {
        boolean isCountedHere = map.hasNoOverseer() && Long.bitCount(left) == 1;
        List<TopologySpreadConstraint> constraints = pod.spec().topologySpread();
        for (int i = 0; i < constraints.size(); i++) {
            TopologySpreadConstraint constraint = constraints.get(i);
            if (constraint.isHard()
                    && !(isCountedHere && constraint.nodeAffinityPolicy() == NodeInclusionPolicy.HONOR)) {
                return Optional.of("it is to be spread by " + constraint.topologyKey());
            }
        }
        return constraints.isEmpty()
                        && !isCountedHere
                        && spreadingByDefault.contains(pod.spec().schedulerName())
                ? Optional.of("it is to be spread by default")
                : Optional.empty();
    }

    private Optional<String> byAffinity(Pod pod) {
        if (!pod.spec().podAffinity().requiredAffinity().isEmpty()) {
            return Optional.of("it has required affinity to pods");
        }
        List<PodAffinityTerm> shunned = pod.spec().podAffinity().requiredAntiAffinity();
        for (int i = 0; i < shunned.size(); i++) {
            String key = shunned.get(i).topologyKey();
            if (!map.keepsWhole(key)) {
                return Optional.of("it has required anti-affinity by " + key);
            }
        }
        return Optional.empty();
    }

    /** Those with nodes that the pod's own words may allow, a bit each. */
    private long shardsLeftTo(Pod pod) {
        long left = all;
        Labels selector = pod.spec().nodeSelector();
        int label = map.nodeLabel().map(selector::find).orElse(-1);
        if (label >= 0) {
            left &= map.mayHave(List.of(selector.valueAt(label)));
        }
        Optional<NodeSelector> required = pod.spec().nodeAffinity().required();
        if (required.isPresent()) {
            long anyTerm = 0;
            List<NodeSelectorTerm> terms = required.get().terms();
            for (int i = 0; i < terms.size(); i++) {
                anyTerm |= shardsLeftBy(terms.get(i));
            }
            left &= anyTerm;
        }
        return left;
    }

    private long shardsLeftBy(NodeSelectorTerm term) {
        long left = term.isEmpty() ? 0 : all;
        for (NodeSelectorRequirement field : term.matchFields()) {
            if (field.key().equals(NodeSelectorTerm.NAME_FIELD)
                    && field.operator() == NodeSelectorRequirement.Operator.IN
                    && field.values().size() == 1) {
                left &= 1L << shardOf(field.values().getFirst());
            }
        }
        for (NodeSelectorRequirement label : term.matchExpressions()) {
            if (map.nodeLabel().filter(label.key()::equals).isPresent()) {
                left &= shardsLeftBy(label);
            }
        }
        return left;
    }

    /** The last shard has nodes of many values, and without any: it stays unless no node of it can do. */
    private long shardsLeftBy(NodeSelectorRequirement label) {
        long last = 1L << (map.count() - 1);
        return switch (label.operator()) {
            case IN -> map.mayHave(label.values());
            case NOT_IN -> (all & ~map.mayHave(label.values())) | last;
            case DOES_NOT_EXIST -> last;
            case EXISTS, GT, LT -> all;
        };
    }

    private int shardOf(String node) {
        OptionalInt known = map.ofName(node);
        return (known.isPresent() ? known : facts.shardOf(node)).orElseGet(() -> map.fallbackOf(node));
    }
}
