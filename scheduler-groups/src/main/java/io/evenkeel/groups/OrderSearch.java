package io.evenkeel.groups;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for a legal order on the live state, depth first: at each step what looks best is tried before the rest. A state from
 * which all was tried in vain is kept as a nogood, whichever way leads there again; so where nothing is left to try, there is no
 * order.
 */
final class OrderSearch {

    enum Outcome {
        FOUND,
        NONE,
        SPENT
    }

    /** Deeper ones are not gone through: neither the stack nor the budget would do. */
    private static final int MOST_PODS = 1_000;

    private record Choice(int kind, int node, int rank, long fill) {}

    private final Board board;
    private final MembersByKind crew;
    private final Contents contents;
    private final int[] left;
    private final int parts;
    private final int goal;
    private final boolean ofAll;
    private final Set<String> nogoods = new HashSet<>();
    private final Board.Mark begin;
    private List<Seat> best = List.of();
    private long kept;
    private boolean spent;

    /**
     * A search for an order.
     *
     * @param parts one of so many of the budget's may be spent
     * @param goal how many pods are enough
     * @param ofAll whether only an order of all is of interest
     */
    OrderSearch(Board board, MembersByKind crew, SearchContext outlook, int parts, int goal, boolean ofAll) {
        this.board = board;
        this.crew = crew;
        this.parts = parts;
        this.goal = goal;
        this.ofAll = ofAll;
        contents = outlook.contents();
        left = crew.kinds().stream().mapToInt(Kind::size).toArray();
        begin = board.mark();
    }

    /** Leaves an order on the board, if it finds one. */
    Outcome run() {
        if (crew.pods() > MOST_PODS) {
            return Outcome.SPENT;
        }
        boolean found = explore();
        return found ? Outcome.FOUND : spent ? Outcome.SPENT : Outcome.NONE;
    }

    /** The longest legal order that was come by. */
    List<Seat> best() {
        return best;
    }

    private boolean explore() {
        if (board.count() > best.size()) {
            best = board.seats();
        }
        if (board.count() >= goal) {
            return true;
        }
        if (board.isSpentSince(begin, parts)) {
            spent = true;
            return false;
        }
        String state = contents.state();
        board.spend(state.length() / Contents.CHARACTERS_A_QUESTION);
        if (nogoods.contains(state)) {
            return false;
        }
        for (Choice choice : choices()) {
            if (spent) {
                return false;
            }
            if (take(choice)) {
                return true;
            }
        }
        if (!spent && kept + state.length() <= Contents.MOST_KEPT) {
            kept += state.length();
            nogoods.add(state);
        }
        return false;
    }

    private boolean take(Choice choice) {
        Kind kind = crew.kinds().get(choice.kind());
        board.place(kind.pods().get(kind.size() - left[choice.kind()]), choice.node());
        contents.add(choice.node(), choice.kind());
        left[choice.kind()]--;
        if (explore()) {
            return true;
        }
        left[choice.kind()]++;
        contents.remove(choice.node(), choice.kind());
        board.takeBack();
        return false;
    }

    /** Returns the next choices, the best first; nothing where some pod will never fit again. */
    private List<Choice> choices() {
        List<Choice> choices = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Kind kind : crew.kinds()) {
            if (left[kind.number()] == 0) {
                continue;
            }
            if (board.isSpentSince(begin, parts)) {
                spent = true;
                return List.of();
            }
            NodeVerdicts verdicts = board.ask(kind.first());
            if (ofAll && verdicts.mayFit().isEmpty()) {
                return List.of();
            }
            add(choices, kind.number(), verdicts.fitting(), seen);
        }
        choices.sort(Comparator.comparingLong(Choice::fill)
                .thenComparingInt(Choice::rank)
                .thenComparingInt(Choice::kind)
                .thenComparingInt(Choice::node));
        return choices;
    }

    private void add(List<Choice> choices, int kind, NodeSetView fitting, Set<String> seen) {
        int rank = fitting.size();
        board.spend(rank / Contents.CHOICES_A_QUESTION);
        seen.clear();
        for (int node = fitting.first(); node >= 0; node = fitting.next(node + 1)) {
            if (seen.add(contents.looksOf(node))) {
                choices.add(new Choice(kind, node, rank, crew.fillOf(kind, node)));
            }
        }
    }
}
