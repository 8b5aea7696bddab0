package io.evenkeel.groups;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks on the live state for places for a group, depth first: at each step what looks best is tried before the rest. A state from
 * which all was tried in vain is kept as a nogood, whichever way leads there again; so where nothing is left to try, there is
 * nothing to be found.
 */
abstract class DepthSearch {

    enum Outcome {
        FOUND,
        NONE,
        SPENT
    }

    /** Deeper ones are not gone through: neither the stack nor the budget would do. */
    private static final int MOST_PODS = 1_000;

    private static final Comparator<Choice> BEST_FIRST = Comparator.comparingLong(Choice::fill)
            .thenComparingInt(Choice::rank)
            .thenComparingInt(Choice::kind)
            .thenComparingInt(Choice::node);

    /** The next pod of a kind on a node. */
    record Choice(int kind, int node, int rank, long fill) {}

    final Board board;
    final MembersByKind crew;
    /** By kind, how many pods are not placed yet. */
    final int[] left;

    final List<Choice> placed = new ArrayList<>();
    private final Contents contents;
    private final Set<String> nogoods = new HashSet<>();
    private final int parts;
    private final Board.Mark begin;
    private long kept;
    private boolean spent;

    /** @param parts one of so many of the budget's may be spent */
    DepthSearch(Board board, MembersByKind crew, SearchContext outlook, int parts) {
        this.board = board;
        this.crew = crew;
        this.parts = parts;
        contents = outlook.contents();
        left = crew.kinds().stream().mapToInt(Kind::size).toArray();
        begin = board.mark();
    }

    /** Leaves what it looks for on the board, if it finds one. */
    final Outcome run() {
        if (crew.pods() > MOST_PODS) {
            return Outcome.SPENT;
        }
        boolean found = explore();
        return found ? Outcome.FOUND : spent ? Outcome.SPENT : Outcome.NONE;
    }

    /** Whether enough pods are on the board. */
    abstract boolean isFull();

    /** Whether the board will do, which is full. */
    abstract boolean isLegal();

    /** Whether nothing can come of the board as it is, whichever pods follow. */
    abstract boolean isHopeless();

    /** Adds what may be tried next, by {@link #add}. */
    abstract void addChoices(List<Choice> choices);

    final boolean isSpent() {
        spent |= board.isSpentSince(begin, parts);
        return spent;
    }

    private boolean explore() {
        if (isFull()) {
            return isLegal();
        }
        if (isSpent()) {
            return false;
        }
        String state = contents.state();
        board.spend(state.length() / Contents.CHARACTERS_A_QUESTION);
        if (nogoods.contains(state) || isHopeless()) {
            return false;
        }
        List<Choice> choices = new ArrayList<>();
        addChoices(choices);
        choices.sort(BEST_FIRST);
        for (Choice choice : choices) {
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

    /** The nodes for the kind's next pod, one of those that look the same. */
    final void add(List<Choice> choices, int kind, NodeSetView nodes) {
        int rank = nodes.size();
        board.spend(rank / Contents.CHOICES_A_QUESTION);
        Set<String> seen = new HashSet<>();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            if (seen.add(contents.looksOf(node))) {
                choices.add(new Choice(kind, node, rank, crew.fillOf(kind, node)));
            }
        }
    }

    private boolean take(Choice choice) {
        Kind kind = crew.kinds().get(choice.kind());
        board.place(kind.pods().get(kind.size() - left[choice.kind()]), choice.node());
        contents.add(choice.node(), choice.kind());
        left[choice.kind()]--;
        placed.add(choice);
        if (explore()) {
            return true;
        }
        placed.removeLast();
        left[choice.kind()]++;
        contents.remove(choice.node(), choice.kind());
        board.takeBack();
        return false;
    }
}
