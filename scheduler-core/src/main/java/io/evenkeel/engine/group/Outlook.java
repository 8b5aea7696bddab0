package io.evenkeel.engine.group;

import io.evenkeel.engine.group.PodKinds.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The facts that all searches for a group start from: which nodes are twins, and the kinds that may come last. Found out once,
 * and only where the budget allows a search.
 */
final class Outlook {
    private final Board board;
    private final Crew crew;
    private int[] twins = {};
    private Set<Integer> last = Set.of();
    private boolean isKnown;

    Outlook(Board board, Crew crew) {
        this.board = board;
        this.crew = crew;
    }

    /** Nothing on any node. */
    Contents contents() {
        learn();
        return new Contents(twins);
    }

    /** Whether it does not matter when the kind comes, before others or after. */
    boolean mayComeLast(Kind kind) {
        learn();
        return last.contains(kind.number());
    }

    private void learn() {
        if (isKnown || board.isSpent()) {
            return;
        }
        isKnown = true;
        board.spend(board.view().nodes().count() / Contents.NODES_A_QUESTION);
        twins = Twins.find(board.view(), crew.mayFit(), crew.allowsTwins());
        List<Kind> demanding = crew.demanding();
        last = new HashSet<>();
        for (Kind kind : crew.kinds()) {
            if (crew.mayComeLast(
                    kind, demanding, board.view(), board.judge(kind.first()).spreadByDefault())) {
                last.add(kind.number());
            }
        }
    }
}
