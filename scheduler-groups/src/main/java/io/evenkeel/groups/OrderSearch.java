package io.evenkeel.groups;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.PodKinds.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for a legal order on the live state by limited discrepancy search (Harvey and Ginsberg 1995): first along what
 * looks best at each step, then with one departure from that, with two, and at last with any number. A state from which
 * all was tried in vain is kept as a nogood, whichever way leads there again; so when the last pass ends, there is no order.
 *
 * <pre>{@code
 * departures    0: best, best, best          1: second, best, best    best, second, best    …
 *               2: third, best, best    second, second, best    …
 * }</pre>
 */
final class OrderSearch {

    enum Outcome {
        FOUND,
        NONE,
        SPENT
    }

    private static final int[] DEPARTURES = {0, 1, 2, 4};

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
    private final List<Kind> anyTime = new ArrayList<>();
    private final List<Kind> last = new ArrayList<>();
    private final Map<String, Integer> nogoods = new HashMap<>();
    private final Board.Mark begin;
    private List<Seat> best = List.of();
    private boolean departed;
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
        for (int number : crew.fewestNodesFirst()) {
            Kind kind = crew.kinds().get(number);
            (outlook.mayComeLast(kind) ? last : anyTime).add(kind);
        }
    }

    /** Leaves an order on the board, if it finds one. */
    Outcome run() {
        if (crew.pods() > MOST_PODS) {
            return Outcome.SPENT;
        }
        for (int departures : DEPARTURES) {
            departed = false;
            if (explore(departures)) {
                return Outcome.FOUND;
            }
            if (spent) {
                return Outcome.SPENT;
            }
            if (!departed) {
                return Outcome.NONE;
            }
        }
        boolean found = explore(Integer.MAX_VALUE);
        return found ? Outcome.FOUND : spent ? Outcome.SPENT : Outcome.NONE;
    }

    /** The longest legal order that was come by. */
    List<Seat> best() {
        return best;
    }

    private boolean explore(int departures) {
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
        Integer tried = nogoods.get(state);
        if (tried != null && tried >= departures) {
            departed |= tried != Integer.MAX_VALUE;
            return false;
        }
        boolean departedBefore = departed;
        departed = false;
        List<Choice> choices = choices();
        for (int i = 0; i < choices.size() && !spent; i++) {
            if (i > departures) {
                departed = true;
                break;
            }
            if (take(choices.get(i), departures == Integer.MAX_VALUE ? departures : departures - i)) {
                return true;
            }
        }
        if (!spent && (tried != null || kept + state.length() <= Contents.MOST_KEPT)) {
            kept += tried == null ? state.length() : 0;
            nogoods.put(state, departed ? departures : Integer.MAX_VALUE);
        }
        departed |= departedBefore;
        return false;
    }

    private boolean take(Choice choice, int departures) {
        Kind kind = crew.kinds().get(choice.kind());
        board.place(kind.pods().get(kind.size() - left[choice.kind()]), choice.node());
        contents.add(choice.node(), choice.kind());
        left[choice.kind()]--;
        if (explore(departures)) {
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
        boolean othersWait = ofAll && anyTime.stream().anyMatch(kind -> left[kind.number()] > 0);
        Set<String> seen = new HashSet<>();
        for (Kind kind : anyTime) {
            if (!addChoices(kind, true, choices, seen)) {
                return List.of();
            }
        }
        boolean mayCome = !othersWait;
        for (Kind kind : last) {
            int before = choices.size();
            if (!addChoices(kind, mayCome, choices, seen)) {
                return List.of();
            }
            // of those that may come last the order does not matter, so one of them is as good as another
            mayCome &= !ofAll || choices.size() == before;
        }
        choices.sort(Comparator.comparingLong(Choice::fill)
                .thenComparingInt(Choice::rank)
                .thenComparingInt(Choice::kind)
                .thenComparingInt(Choice::node));
        return choices;
    }

    /** Whether there is any sense in going on: not where pods are left of the kind that will never fit again. */
    private boolean addChoices(Kind kind, boolean mayCome, List<Choice> choices, Set<String> seen) {
        if (left[kind.number()] == 0) {
            return true;
        }
        if (board.isSpentSince(begin, parts)) {
            spent = true;
            return false;
        }
        NodeVerdicts verdicts = board.ask(kind.first());
        if (ofAll && verdicts.mayFit().isEmpty()) {
            return false;
        }
        if (mayCome) {
            add(choices, kind.number(), verdicts.fitting(), seen);
        }
        return true;
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
