package io.evenkeel.tools.why;

import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.app.companion.AskedCluster.Parted.Holder;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.Profile;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.shard.ForeignTerms;
import io.evenkeel.shard.LocalGate;
import io.evenkeel.shard.Reach;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardTrace;
import io.evenkeel.shard.ShardTrace.Attempt;
import io.evenkeel.shard.ShardTrace.Tried;
import io.evenkeel.shard.ShardTrace.Turn;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Engines that share a cluster, as their Leases tell it.
 *
 * @param overseer who holds its Lease
 * @param holders of the shards, by their number
 */
public record EngineShards(ShardMap map, Holder overseer, List<Holder> holders) {
    public EngineShards {
        holders = List.copyOf(holders);
    }

    static EngineShards of(Parted parted) {
        return new EngineShards(parted.map(), parted.overseer(), parted.holders());
    }

    /** The cluster that is shared. */
    record Shared(ClusterView cluster, Collection<Profile> profiles, Collection<Pod> pods, Predicate<Pod> isInGang) {}

    /** Why what the pod's condition PodScheduled says is not of nodes; empty where it may be. */
    Optional<String> refuse(Pod pod) {
        return isRefused(pod)
                ? Optional.of("its engines have none that knows all nodes, so it waits whatever room there is")
                : Optional.empty();
    }

    private static boolean isRefused(Pod pod) {
        return pod.status()
                .scheduled()
                .filter(condition -> condition.message().startsWith(LocalGate.NOBODY_JUDGES))
                .isPresent();
    }

    /** Which engine has a pod that waits, and what others have made of it; empty where none has it. */
    Optional<String> haveMade(Pod pod, Shared shared) {
        return isRefused(pod) ? Optional.empty() : Optional.of(told(pod, shared));
    }

    /** Whether they have a place for it that they are yet to give, which is on the node that its status names. */
    boolean haveInView(Pod pod) {
        return ShardTrace.of(pod, map).hasPlaceInView();
    }

    private String told(Pod pod, Shared shared) {
        ShardTrace trace = ShardTrace.of(pod, map);
        Facts facts = new Facts(shared);
        if (trace instanceof ShardTrace.Asked(String node)) {
            return overseerInWords() + " asks " + shard(facts.ownerOf(node)) + " for a place on node " + node;
        }
        if (trace instanceof ShardTrace.Announced(String node)) {
            return overseerInWords() + " has a place on node " + node
                    + " in view, and asks for it once all shards know whom the pod shuns"
                    + nobodyHolds(IntStream.range(0, map.count()).boxed().toList(), "; nobody holds ");
        }
        String before = trace instanceof ShardTrace.Refused(String node, String why)
                ? "; shard " + facts.ownerOf(node) + " had no place on node " + node + ": " + why
                : "";
        Reach reach = new Reach(map, shared.profiles, facts);
        return switch (reach.of(pod)) {
            case Reach.ToOverseer(String reason) -> "decided by " + overseerInWords() + ", as " + reason + before;
            case Reach.ToShards(List<Integer> order) -> {
                Tried tried = trace instanceof Tried told ? told : ShardTrace.NONE;
                Turn turn = tried.turn(order, pod.spec().preempts(), reach.nominatedShard(pod));
                yield turn.shard().isPresent() ? ofTurn(turn.shard().getAsInt(), tried) : ofAll(turn, tried);
            }
        };
    }

    private String ofTurn(int next, Tried tried) {
        String others =
                tried.attempts().isEmpty() ? "" : "; " + triedBy(tried) + " of " + map.count() + " had no place";
        return "it is the turn of " + shard(next) + " to find a node of its own" + others;
    }

    private String ofAll(Turn turn, Tried tried) {
        int teller = turn.speaker();
        if (turn.order().size() == 1) {
            return "tried by " + shard(teller) + " of " + map.count() + ", as its words leave no other";
        }
        return "tried by " + triedBy(tried) + " of " + map.count() + ": whichever has a place first takes it"
                + (isHeld(holders.get(teller)) ? ", and " + shard(teller) + " tells of it" : "")
                + nobodyHolds(turn.order(), "; nobody holds ");
    }

    private String overseerInWords() {
        return "the overseer" + by(overseer);
    }

    private String shard(int number) {
        return "shard " + number + by(holders.get(number));
    }

    private static String by(Holder holder) {
        String replica = holder.replica();
        return " ("
                + (replica.isEmpty()
                        ? "held by nobody"
                        : holder.hasRunOut() ? replica + ", whose lease has run out" : replica)
                + ")";
    }

    private static boolean isHeld(Holder holder) {
        return !holder.replica().isEmpty() && !holder.hasRunOut();
    }

    private static String triedBy(Tried tried) {
        return named(tried.attempts().stream().map(Attempt::shard).toList());
    }

    private static String named(List<Integer> shards) {
        return (shards.size() == 1 ? "shard " : "shards ")
                + shards.stream().sorted().map(shard -> Integer.toString(shard)).collect(Collectors.joining(", "));
    }

    /** Nothing where all are held. */
    private String nobodyHolds(List<Integer> shards, String before) {
        List<Integer> unheld =
                shards.stream().filter(shard -> !isHeld(holders.get(shard))).toList();
        List<String> late = unheld.stream()
                .map(shard -> holders.get(shard).replica())
                .filter(replica -> !replica.isEmpty())
                .distinct()
                .toList();
        return unheld.isEmpty()
                ? ""
                : before
                        + named(unheld)
                        + (late.isEmpty() ? "" : ", as the lease of " + String.join(", ", late) + " has run out");
    }

    /** As an engine knows them that sees all. */
    private final class Facts implements Reach.Facts {
        private final Shared shared;
        private final ForeignTerms terms;

        Facts(Shared shared) {
            this.shared = shared;
            terms = new ForeignTerms(map, shared.cluster.namespaces());
            shared.pods.stream()
                    .filter(pod -> pod.isPlaced() || haveInView(pod))
                    .forEach(terms::put);
        }

        @Override
        public boolean isInGang(Pod pod) {
            return shared.isInGang.test(pod);
        }

        @Override
        public boolean asksForDevices(Pod pod) {
            return shared.cluster.needsDevices(pod);
        }

        @Override
        public boolean isUnderPolicy(Pod pod) {
            return Stream.of(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY)
                    .flatMap(kind -> shared.cluster.all(kind.name()).stream())
                    .map(PolicyObject.class::cast)
                    .anyMatch(policy -> (!(policy instanceof PlacementPolicy)
                                    || policy.meta().namespace().equals(pod.namespace()))
                            && policy.spec().selector().matches(pod.labels()));
        }

        @Override
        public Optional<PersistentVolumeClaim> claim(String namespace, String name) {
            return shared.cluster.objects().find(Kinds.PERSISTENT_VOLUME_CLAIM, namespace + "/" + name);
        }

        @Override
        public OptionalInt shardOf(String node) {
            int row = shared.cluster.nodes().findPresent(node);
            return row < 0
                    ? map.ofName(node)
                    : OptionalInt.of(map.ofNode(shared.cluster.nodes().node(row)));
        }

        int ownerOf(String node) {
            return shardOf(node).orElseGet(() -> map.fallbackOf(node));
        }

        @Override
        public Optional<String> foreignTerm(Pod pod) {
            return terms.matching(pod);
        }
    }
}
