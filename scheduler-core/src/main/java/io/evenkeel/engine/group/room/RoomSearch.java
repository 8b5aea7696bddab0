package io.evenkeel.engine.group.room;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.JointPlacement.Seat;
import io.evenkeel.engine.group.room.SeatFinder.Answer;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Looks for room for one gang. */
final class RoomSearch {
    /** Of the budget, what may go into whether it fits without anybody going. */
    private static final int A_QUARTER = 4;

    private static final String NOBODY = "no pod is less important than the gang";

    private final ClusterState cluster;
    private final Function<PodInfo, NodeVerdicts> judges;
    private final List<PodInfo> pods;
    private final Occupants occupants;
    private final SeatFinder finder;
    private final Spending spending;

    RoomSearch(
            ClusterState cluster,
            Function<PodInfo, NodeVerdicts> judges,
            List<PodInfo> pods,
            Occupants occupants,
            SeatFinder finder,
            Spending spending) {
        this.cluster = cluster;
        this.judges = judges;
        this.pods = pods;
        this.occupants = occupants;
        this.finder = finder;
        this.spending = spending;
    }

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
            Answer asItIs = finder.find(spending.part(A_QUARTER));
            if (asItIs.seats().isPresent()) {
                return new Room.Made(List.of(), asItIs.seats().get(), true, spending.steps());
            }
            if (occupants.isEmpty()) {
                return none(asItIs, NOBODY);
            }
            occupants.takeAwayOthers(gone);
            Answer without = finder.find(spending.left());
            return without.seats()
                    .map(seats -> reprieve(seats, nodesAlone, allAlike))
                    .orElseGet(() -> none(without, "even without all that are less important: " + without.why()));
        }
    }

    private Room none(Answer answer, String why) {
        return answer.isRuledOut() || !spending.isSpent()
                ? new Room.None(why, answer.isRuledOut() && !occupants.areSomeKept(), spending.steps())
                : new Room.Unknown(spending.budget(), spending.steps());
    }

    private Room reprieve(List<Seat> first, boolean nodesAlone, boolean allAlike) {
        try (Seating seating = new Seating(cluster, judges, pods)) {
            seating.begin();
            seating.take(first);
            List<Unit> units = occupants.inOrderOfReprieve();
            Reprieve reprieve = new Reprieve(
                    units, seating, finder, spending, cluster.view().nodes().end(), nodesAlone, allAlike);
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
