package io.evenkeel.groups.turn;

import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.PreemptingPlugin;
import io.evenkeel.framework.PreemptingPlugin.VictimOrder;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.groups.JointPlacer;
import io.evenkeel.groups.JointPlacer.Found;
import io.evenkeel.groups.JointPlacer.JointTerms;
import io.evenkeel.groups.turn.Occupants.Unit;
import io.evenkeel.groups.turn.Occupants.Unit.Member;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds pods that go so that a gang fits: as kube-scheduler's workload-aware preemption, all that are less important are
 * taken away in thought, in the whole cluster; where the gang fits then, as many come back as it leaves room for, those
 * first whom a PodDisruptionBudget protects, then the most important. The cluster stays as it is.
 *
 * <p>What would not even fit on empty nodes is told at once. Else it costs a step of the cluster for each less important pod, away and back, and for each that meets the gang on its node a
 * question to the filters; what else is tried is within the budget.
 */
final class GangPreemption {
    private final ClusterState cluster;
    private final Function<Pod, SchedulingCycle> cycles;

    GangPreemption(GroupParts engine) {
        cluster = engine.cluster();
        cycles = engine.cycles();
    }

    /** Who goes for the gang. No pod does where it fits as it is, or once the pods are gone that are leaving. */
    Room find(Gang gang, Budget budget) {
        if (!gang.preempts()) {
            return new Room.None("a pod of the gang has preemptionPolicy Never", true, 0);
        }
        SchedulingCycle cycle = cycles.apply(gang.waiting().getFirst());
        return victimOrder(cycle)
                .map(order -> find(gang, budget, order, cycle))
                .orElseGet(() ->
                        new Room.None("no plugin of the profile lets pods go, as DefaultPreemption would", true, 0));
    }

    private static Optional<VictimOrder> victimOrder(SchedulingCycle cycle) {
        return cycle.profile().at(ExtensionPoint.POST_FILTER, PostFilterPlugin.class).stream()
                .filter(PreemptingPlugin.class::isInstance)
                .map(plugin -> ((PreemptingPlugin) plugin).victimOrder())
                .findFirst();
    }

    private Room find(Gang gang, Budget budget, VictimOrder order, SchedulingCycle cycle) {
        Map<SchedulingCycle, NodeVerdicts> byCycle = new HashMap<>();
        Function<PodInfo, NodeVerdicts> judges =
                pod -> byCycle.computeIfAbsent(cycles.apply(pod.pod()), SchedulingCycle::verdicts);
        SeatFinder.Spending spending = new SeatFinder.Spending(budget);
        List<PodInfo> pods = new ArrayList<>(gang.waiting().size());
        try {
            gang.waiting().forEach(pod -> pods.add(cluster.admit(pod)));
            long ceiling = new SeatBound(cluster.view(), judges).of(pods);
            if (ceiling < gang.needed()) {
                return new Room.None(
                        "even without all other pods there is room for no more than " + ceiling + " of the "
                                + gang.needed() + " that are needed",
                        true,
                        0);
            }
            try (Occupants occupants =
                    new Occupants(cluster, gang, order, pod -> order.isLeaving(pod) || cycle.isLeaving(pod))) {
                SeatFinder finder = new SeatFinder(new JointPlacer(cluster, judges), pods, gang.needed(), spending);
                return new RoomSearch(cluster, judges, pods, occupants, finder, spending).run();
            }
        } finally {
            pods.forEach(cluster::giveBack);
        }
    }

    /**
     * How many of a gang could have a seat at most if no other pod were anywhere, by what each node offers and whom it turns away
     * whoever is there. It costs a question for each shape and a look at each node, and says no to most gangs that are too large,
     * before anybody is taken away for them.
     *
     * <pre>
     *   3 nodes of 4 cpus, one of them with a taint    a gang of 5 pods of 2 cpus     4 at most
     * </pre>
     */
    private static final class SeatBound {
        private final NodeTable table;
        private final Function<PodInfo, NodeVerdicts> judges;
        private final ClusterView cluster;

        SeatBound(ClusterView cluster, Function<PodInfo, NodeVerdicts> judges) {
            this.cluster = cluster;
            this.table = cluster.nodes();
            this.judges = judges;
        }

        long of(List<PodInfo> pods) {
            Map<Object, List<PodInfo>> byShape = new LinkedHashMap<>();
            pods.forEach(pod -> byShape.computeIfAbsent(pod.interned(), _ -> new ArrayList<>())
                    .add(pod));
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

        /** Of a pod with volumes or devices others of its shape may say nothing. */
        private NodeSetView nodesOf(PodInfo pod) {
            NodeVerdicts judge = judges.apply(pod);
            if (!pod.pod().spec().volumes().isEmpty() || cluster.needsDevices(pod.pod())) {
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

    /** Looks for room for one gang. */
    private record RoomSearch(
            ClusterState cluster,
            Function<PodInfo, NodeVerdicts> judges,
            List<PodInfo> pods,
            Occupants occupants,
            SeatFinder finder,
            SeatFinder.Spending spending) {
        /** Of the budget, what may go into whether it fits without anybody going. */
        private static final int A_QUARTER = 4;

        private static final String NOBODY = "no pod is less important than the gang";

        Room run() {
            Set<Object> shapes = new HashSet<>();
            boolean alone = true;
            for (PodInfo pod : pods) {
                NodeVerdicts judge = judges.apply(pod);
                if (shapes.add(pod.interned())) {
                    // the filters bind what they count by when they are first asked, which is not to be taken back
                    judge.ask(pod);
                }
                alone &= judge.lookAtTheNodeAlone(pod);
            }
            boolean nodesAlone = alone;
            boolean allAlike = shapes.size() == 1;
            try (WhatIf gone = cluster.whatIf()) {
                occupants.takeAwayLeaving(gone);
                SeatFinder.Answer asItIs = finder.find(spending.part(A_QUARTER));
                if (asItIs.seats().isPresent()) {
                    return new Room.Made(List.of(), asItIs.seats().get(), true, spending.steps());
                }
                if (occupants.isEmpty()) {
                    return none(asItIs, NOBODY);
                }
                occupants.takeAwayOthers(gone);
                SeatFinder.Answer without = finder.find(spending.left());
                return without.seats()
                        .map(seats -> reprieve(seats, nodesAlone, allAlike))
                        .orElseGet(() -> none(without, "even without all that are less important: " + without.why()));
            }
        }

        private Room none(SeatFinder.Answer answer, String why) {
            return answer.isRuledOut() || !spending.isSpent()
                    ? new Room.None(why, answer.isRuledOut() && !occupants.areSomeKept(), spending.steps())
                    : new Room.Unknown(spending.budget(), spending.steps());
        }

        private Room reprieve(List<Seat> first, boolean nodesAlone, boolean allAlike) {
            try (Seating seating = new Seating(cluster, judges, pods)) {
                seating.begin();
                seating.take(first);
                List<Unit> units = occupants.inOrderOfReprieve();
                Reprieve reprieve = new Reprieve(units, seating, finder, spending, nodesAlone, allAlike);
                BitSet victims = reprieve.run();
                if (reprieve.hasGivenUp()) {
                    return new Room.Unknown(spending.budget(), spending.steps());
                }
                return new Room.Made(
                        occupants.podsOf(victims.stream().mapToObj(units::get).toList()),
                        seating.seats(),
                        reprieve.isLeast(),
                        spending.steps());
            }
        }
    }

    /** The result of a search for room for a gang. */
    sealed interface Room {

        /** How many placements were tried to find it out. */
        long steps();

        /**
         * The gang fits once the victims are gone, and the pods that are leaving anyway.
         *
         * @param victims the pods that are to go, the most important first; none where only leaving pods are in the way
         * @param seats where as many of the gang as are needed go then, in an order in which the filters let each onto its node
         * @param isLeast whether it is known of each victim that the gang would not fit if it stayed as well; else the budget was
         *     spent before that was known of all
         */
        record Made(List<Pod> victims, List<Seat> seats, boolean isLeast, long steps) implements Room {
            public Made {
                victims = List.copyOf(victims);
                seats = List.copyOf(seats);
            }
        }

        /**
         * Nobody goes: it would not help, or is not allowed.
         *
         * @param isRuledOut whether this is shown, and depends on no more than where the gang's pods may go beside those who stay
         */
        record None(String why, boolean isRuledOut, long steps) implements Room {}

        /** The budget was spent before it was known whether it would help, or who of very many could stay; so no pod goes. */
        record Unknown(Budget budget, long steps) implements Room {}
    }

    /**
     * Pods that are placed together or not at all, for which others may have to go.
     *
     * @param waiting the pods that have no place yet, at least one
     * @param needed how many of these must have one: the gang's minimum less the pods in place
     * @param isMember whether a pod in place is of this gang; it never goes for it
     * @param unitOf the name of those who go with the pod or not at all, as another gang that would be cut below its minimum;
     *     empty where the pod may go alone
     */
    record Gang(List<Pod> waiting, int needed, Predicate<Pod> isMember, Function<Pod, Optional<String>> unitOf) {
        Gang {
            waiting = List.copyOf(waiting);
            if (needed < 1 || needed > waiting.size()) {
                throw new IllegalArgumentException(needed + " of " + waiting.size() + " waiting pods cannot be needed");
            }
        }

        /** Whether others may go for it: not if one of its pods lets no pod go. */
        boolean preempts() {
            return waiting.stream().allMatch(pod -> pod.spec().preempts());
        }

        /** Of the pods that wait; where it differs, the lowest counts. */
        int priority() {
            int lowest = Integer.MAX_VALUE;
            for (Pod pod : waiting) {
                lowest = Math.min(lowest, pod.spec().priority());
            }
            return lowest;
        }
    }

    /**
     * Puts those back, one by one in their order, beside whom a gang can still be placed. For each:
     *
     * <ol>
     *   <li>It comes back, and those of the gang on its node who do not fit beside it move to other nodes. Where nobody sits on its
     *       node, that is all.
     *   <li>Where one finds no other node: if filters look at the node alone and all of the gang are alike, each node has
     *       room for so many and all is taken, so it is a victim. Else seats for all are looked for anew.
     * </ol>
     *
     * <p>Where filters look beyond the node, the second seat may depend on the first, and a pod that comes back on what lies between. So
     * now and then, and at the end, it is asked whether there is a legal order; if not, the pods since the last time are gone
     * through again by halves, down to the one that was in the way, for which seats are looked for again. As pods that come
     * back may help there, those who were refused are then tried again, until nobody else can be.
     */
    private static final class Reprieve {
        private final List<Unit> units;
        private final Seating seating;
        private final SeatFinder finder;
        private final SeatFinder.Spending spending;
        private final LegalOrder legalOrder;
        private final boolean nodesAlone;
        private final boolean allAlike;
        private final BitSet victims = new BitSet();
        /** Victims of whom it is not known that they have to be. */
        private final BitSet doubtful = new BitSet();

        private boolean isInOrder = true;
        private boolean hasGivenUp;

        /**
         * @param units in the order in which they are reprieved
         * @param nodesAlone whether what filters say of the gang's pods follows from the node alone
         * @param allAlike whether all of these are of one shape
         */
        Reprieve(
                List<Unit> units,
                Seating seating,
                SeatFinder finder,
                SeatFinder.Spending spending,
                boolean nodesAlone,
                boolean allAlike) {
            this.units = units;
            this.seating = seating;
            this.finder = finder;
            this.spending = spending;
            this.legalOrder = new LegalOrder(seating, spending);
            this.nodesAlone = nodesAlone;
            this.allAlike = allAlike;
        }

        /** By turn, who is not reprieved; the gang sits where it can then. */
        BitSet run() {
            between(0, units.size());
            boolean again = !nodesAlone;
            while (again) {
                again = false;
                for (int turn = victims.nextSetBit(0); turn >= 0; turn = victims.nextSetBit(turn + 1)) {
                    if (spending.isSpent()) {
                        doubtful.or(victims);
                        return victims;
                    }
                    between(turn, turn + 1);
                    again |= !victims.get(turn);
                }
            }
            return victims;
        }

        /** Whether it took too long, so that it is not known of some whether they could stay. */
        boolean hasGivenUp() {
            return hasGivenUp;
        }

        boolean isLeast() {
            return doubtful.isEmpty();
        }

        private void between(int from, int to) {
            if (hasGivenUp) {
                return;
            }
            int begin = seating.stepCount();
            clear(from, to);
            if (oneByOne(from, to) && isLegal()) {
                return;
            }
            seating.takeBackTo(begin);
            isInOrder = true;
            clear(from, to);
            hasGivenUp = spending.isOverdrawn();
            if (hasGivenUp) {
                return;
            }
            if (to - from == 1) {
                seatAnew(from);
            } else {
                int middle = (from + to) >>> 1;
                between(from, middle);
                between(middle, to);
            }
        }

        private void clear(int from, int to) {
            victims.clear(from, to);
            doubtful.clear(from, to);
        }

        /** False where the order of those who sit turns out not to be legal. */
        private boolean oneByOne(int from, int to) {
            for (int turn = from; turn < to; turn++) {
                if (putBack(turn)) {
                    isInOrder = false;
                } else if (nodesAlone && allAlike) {
                    victims.set(turn);
                } else if (spending.isSpent()) {
                    refuse(turn, false);
                } else if (isLegal()) {
                    seatAnew(turn);
                } else {
                    return false;
                }
            }
            return true;
        }

        private boolean isLegal() {
            isInOrder = isInOrder || nodesAlone || legalOrder.take();
            return isInOrder;
        }

        private void refuse(int turn, boolean isProved) {
            victims.set(turn);
            doubtful.set(turn, !isProved);
        }

        private boolean putBack(int turn) {
            int before = seating.stepCount();
            List<Member> members = units.get(turn).members();
            begin(members);
            List<Integer> homeless = new ArrayList<>();
            for (Member member : members) {
                for (int pod = seating.tooManyOn(member.node());
                        pod != Seating.NOWHERE;
                        pod = seating.tooManyOn(member.node())) {
                    seating.move(pod, Seating.NOWHERE);
                    homeless.add(pod);
                }
            }
            for (int pod : homeless) {
                spending.add(1);
                int node = seating.firstFor(pod);
                if (node == Seating.NOWHERE) {
                    seating.takeBackTo(before);
                    return false;
                }
                seating.move(pod, node);
            }
            return true;
        }

        private void begin(List<Member> back) {
            WhatIf step = seating.begin();
            for (Member member : back) {
                step.place(member.pod(), member.node());
            }
        }

        /** Looks for other seats for all, with this one back. */
        private void seatAnew(int turn) {
            int before = seating.stepCount();
            begin(units.get(turn).members());
            seating.clear();
            SeatFinder.Answer answer = finder.find(spending.left());
            if (answer.seats().isPresent()) {
                seating.take(answer.seats().get());
            } else {
                seating.takeBackTo(before);
                refuse(turn, answer.isRuledOut());
            }
        }

        /**
         * Whether those who sit could all have come to their seats one by one, each let in by the filters: in the order that is noted, but
         * for those who have to wait for others, and are asked again after them. A gang whose filters look at the node alone has been
         * asked when it was seated, and any order is legal.
         */
        private record LegalOrder(Seating seating, SeatFinder.Spending spending) {
            /** A few are moved at a time and come last then; who has to wait longer than that is not worth the asking. */
            private static final int ROUNDS = 8;

            /** Seats them again in such an order, in a step of its own. Where there is none, all is as before. */
            boolean take() {
                List<Integer> waiting = seating.inOrder();
                int[] nodes = waiting.stream().mapToInt(seating::nodeOf).toArray();
                int begin = seating.stepCount();
                seating.begin();
                seating.clear();
                List<Integer> left = new ArrayList<>();
                for (int i = 0; i < nodes.length; i++) {
                    left.add(i);
                }
                for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
                    int before = left.size();
                    left.removeIf(place -> seatIfLegal(waiting.get(place), nodes[place]));
                    if (left.size() == before) {
                        break;
                    }
                }
                if (!left.isEmpty()) {
                    seating.takeBackTo(begin);
                }
                return left.isEmpty();
            }

            private boolean seatIfLegal(int pod, int node) {
                spending.add(1);
                if (!seating.fits(pod, node)) {
                    return false;
                }
                seating.seat(pod, node);
                return true;
            }
        }
    }

    /** Asks for seats for as many of a gang as are needed, in a legal order, as the cluster is at the moment. */
    private record SeatFinder(JointPlacer placer, List<PodInfo> pods, int needed, Spending spending) {
        /**
         * @param seats empty where there are none, or none were found
         * @param isRuledOut whether it is known that there are none
         */
        record Answer(Optional<List<Seat>> seats, boolean isRuledOut, String why) {}

        Answer find(Budget budget) {
            boolean all = needed == pods.size();
            Found found =
                    all ? ofAll(placer.place(pods, budget)) : placer.find(pods, JointTerms.enough(needed), budget);
            spending.add(found.placement().steps());
            if (found.most().size() >= needed) {
                return new Answer(Optional.of(found.most().subList(0, needed)), false, "");
            }
            return switch (found.placement()) {
                case JointPlacement.Infeasible impossible -> none(found, impossible.why());
                case JointPlacement.EndStateOnly _ -> none(found, "all would fit at once, and no order is legal");
                case JointPlacement.Unknown unknown -> none(found, unknown.soFar());
                case JointPlacement.Placed _ -> throw new IllegalStateException("of those placed too few are there");
            };
        }

        private Answer none(Found found, String why) {
            return new Answer(Optional.empty(), found.rulesOut(needed, pods.size()), why);
        }

        private static Found ofAll(JointPlacement placement) {
            return new Found(placement, placement instanceof JointPlacement.Placed placed ? placed.order() : List.of());
        }

        /** Steps that were taken, out of the steps allowed. */
        static final class Spending {
            private static final int OVERDRAFT = 16;

            private final Budget budget;
            private long steps;

            Spending(Budget budget) {
                this.budget = budget;
            }

            void add(long more) {
                steps += more;
            }

            long steps() {
                return steps;
            }

            Budget budget() {
                return budget;
            }

            boolean isSpent() {
                return steps >= budget.steps();
            }

            /**
             * Whether so much was taken beyond the budget that it is time to give up. What is found once the budget is spent still has
             * to be checked, which takes little as a rule; letting the rest go unchecked would cost pods, and not time.
             */
            boolean isOverdrawn() {
                return steps / OVERDRAFT >= budget.steps();
            }

            Budget left() {
                return new Budget(Math.max(0, budget.steps() - steps));
            }

            /** A part of all, if there is as much left. */
            Budget part(int parts) {
                return new Budget(Math.min(left().steps(), budget.steps() / parts));
            }
        }
    }
}
