package io.evenkeel.groups;

import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import java.util.List;

/** Looks for a legal order: what is placed is so, step by step. */
final class OrderSearch extends DepthSearch {
    private final int goal;
    private final boolean ofAll;
    private List<Seat> best = List.of();

    /**
     * @param parts one of so many of the budget's may be spent
     * @param goal how many pods are enough
     * @param ofAll whether only an order of all is of interest
     */
    OrderSearch(Board board, MembersByKind crew, SearchContext outlook, int parts, int goal, boolean ofAll) {
        super(board, crew, outlook, parts);
        this.goal = goal;
        this.ofAll = ofAll;
    }

    /** The longest legal order that was come by. */
    List<Seat> best() {
        return best;
    }

    @Override
    boolean isFull() {
        if (board.count() > best.size()) {
            best = board.seats();
        }
        return board.count() >= goal;
    }

    @Override
    boolean isLegal() {
        return true;
    }

    @Override
    boolean isHopeless() {
        return false;
    }

    /** Nothing where some pod will never fit again. */
    @Override
    void addChoices(List<Choice> choices) {
        for (Kind kind : crew.kinds()) {
            if (left[kind.number()] == 0) {
                continue;
            }
            if (isSpent()) {
                choices.clear();
                return;
            }
            NodeVerdicts verdicts = board.ask(kind.first());
            if (ofAll && verdicts.mayFit().isEmpty()) {
                choices.clear();
                return;
            }
            add(choices, kind.number(), verdicts.fitting());
        }
    }
}
