package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.groups.JointPlacer;
import io.evenkeel.groups.turn.GangPreemption.Room;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

/** Says what becomes of the pods of a gang if they have their turn now. Looks, and changes nothing. */
record GangJudge(GroupEngine engine, GroupLook look) {
    sealed interface Verdict {

        /**
         * As many as are needed get their nodes.
         *
         * @param rest why no more of them do; empty where all do
         */
        record Seated(GangSeats seats, String rest) implements Verdict {}

        /**
         * There is no way for all of them.
         *
         * @param most as many of them as find room one after the other
         * @param isShown whether it is shown that there is no way, so that none comes unless something changes for some pod of it
         */
        record Nowhere(String why, List<Seat> most, boolean isShown) implements Verdict {}

        /**
         * None is placed before these have gone.
         *
         * @param plugin that chose them
         */
        record RoomMade(Room.Made room, String plugin, String why) implements Verdict {}
    }

    /** @param pods that wait and can be taken, the more important ones first */
    Verdict judge(List<Pod> pods, GroupMembership membership) {
        int minimum = membership.terms().minimum();
        int placed = engine.members().placed(membership.group());
        int needed = Math.max(1, minimum - placed);
        if (pods.size() < needed) {
            return new Verdict.Nowhere(
                    "minCount (%d) cannot be satisfied: %d scheduled, %d remaining"
                            .formatted(minimum, placed, pods.size()),
                    List.of(),
                    true);
        }
        JointPlacer.Found found = look.places(pods, needed, membership);
        GangSeats seats = GangSeats.of(found, needed, membership.terms());
        String why = words(found.placement(), pods.size(), membership.terms());
        return seats.isNobodys() ? makeRoom(pods, needed, why, found, membership) : new Verdict.Seated(seats, why);
    }

    private static String words(JointPlacement found, int pods, GroupTerms terms) {
        String words = found.shortfall(pods);
        boolean mayBeAsked = found instanceof JointPlacement.EndStateOnly && !terms.mayBeAtOnce();
        return mayBeAsked
                ? words + "; with the annotation evenkeel.io/group-placement: end-state they are bound at once"
                : words;
    }

    /** Less important pods go, where that lets as many of the gang fit as are needed; it waits for that, or for good. */
    private Verdict makeRoom(
            List<Pod> pods, int needed, String why, JointPlacer.Found found, GroupMembership membership) {
        boolean mayBeAtOnce = membership.terms().mayBeAtOnce() && found.placement() instanceof JointPlacement.Unknown;
        boolean isRuledOut = found.rulesOut(needed, pods.size()) && !mayBeAtOnce;
        Optional<String> plugin = engine.preemptionOf(pods.getFirst());
        if (plugin.isEmpty() || membership.terms().topologyKey().isPresent()) {
            return new Verdict.Nowhere(why, found.most(), isRuledOut);
        }
        return switch (look.room(pods, needed, membership)) {
            case Room.None none ->
                new Verdict.Nowhere(why + "; preemption: " + none.why(), found.most(), isRuledOut && none.isRuledOut());
            case Room.Unknown _ -> new Verdict.Nowhere(why + "; preemption: the budget is spent", found.most(), false);
            case Room.Made made -> new Verdict.RoomMade(made, plugin.get(), why);
        };
    }

    /**
     * The nodes that a gang's pods get.
     *
     * @param atOnce whether each is judged beside all others, and not one after the other
     */
    record GangSeats(List<Seat> seats, boolean atOnce) {
        private static final GangSeats NONE = new GangSeats(List.of(), false);

        /** As many as possible where not all have one, but at least so many; else none. */
        static GangSeats of(JointPlacer.Found found, int needed, GroupTerms terms) {
            return switch (found.placement()) {
                case JointPlacement.Placed placed -> new GangSeats(placed.order(), false);
                case JointPlacement.EndStateOnly end when terms.mayBeAtOnce() -> new GangSeats(end.seats(), true);
                default -> found.most().size() >= needed ? new GangSeats(found.most(), false) : NONE;
            };
        }

        boolean isNobodys() {
            return seats.isEmpty();
        }

        /** Returns the pods taken to be in place when this one is judged, though not there yet. */
        List<Seat> beside(int index) {
            if (!atOnce) {
                return List.of();
            }
            return seats.subList(index + 1, seats.size());
        }
    }
}
