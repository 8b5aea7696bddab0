package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.groups.JointPlacement;

/** The results of searches for a group, in words for its users. */
public final class FindingWords {
    private FindingWords() {}

    /** Why not all can be placed one after the other; empty where they can. */
    public static String shortfall(JointPlacement found, int pods) {
        return switch (found) {
            case JointPlacement.Placed _ -> "";
            case JointPlacement.EndStateOnly end ->
                with(
                        end.reach(),
                        "all " + pods + " fit at once, but "
                                + (end.orderRuledOut()
                                        ? "there is no order in which they are all allowed one after the other"
                                        : "no order was found in which they are allowed one after the other"));
            case JointPlacement.Infeasible no -> no.certificate().words();
            case JointPlacement.Unknown unknown ->
                with(
                        unknown.reach(),
                        unknown.soFar() + " for all " + pods + ", and the budget of "
                                + unknown.budget().steps() + " steps is spent");
        };
    }

    private static String with(String more, String words) {
        return more.isEmpty() ? words : words + "; " + more;
    }

    static GroupObserver.Finding finding(JointPlacement found) {
        return switch (found) {
            case JointPlacement.Placed _ -> GroupObserver.Finding.PLACED;
            case JointPlacement.EndStateOnly _ -> GroupObserver.Finding.END_STATE_ONLY;
            case JointPlacement.Infeasible _ -> GroupObserver.Finding.INFEASIBLE;
            case JointPlacement.Unknown _ -> GroupObserver.Finding.UNKNOWN;
        };
    }
}
