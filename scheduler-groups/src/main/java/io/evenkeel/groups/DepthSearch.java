package io.evenkeel.groups;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.HardSpreads.HardSpread;
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

    /** The first that is not placed yet, of which there is one: what those have that are, such as devices, it does not. */
    final PodInfo next(Kind kind) {
        return kind.pods().get(kind.size() - left[kind.number()]);
    }

    private boolean take(Choice choice) {
        Kind kind = crew.kinds().get(choice.kind());
        board.place(next(kind), choice.node());
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

    /** Looks for a legal order: what is placed is so, step by step. */
    static final class OrderSearch extends DepthSearch {
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
                NodeVerdicts verdicts = board.ask(next(kind));
                if (ofAll && verdicts.mayFit().isEmpty()) {
                    choices.clear();
                    return;
                }
                add(choices, kind.number(), verdicts.fitting());
            }
        }
    }

    /**
     * Looks for a state in which all pods of the group are in place and each is legal beside all the others, whichever order
     * leads there. Goes through all that the filters do not turn away for good, kind by kind; a state is given up as soon as
     * some domain is so full that the pods left are too few to bring the others up to it.
     */
    static final class EndStateSearch extends DepthSearch {
        /** Over more domains it costs more to add up what is missing than it saves. */
        private static final int MOST_DOMAINS = 512;

        /** So many are added up in the time of a question to the filters, where there are as many as that. */
        private static final int DOMAINS_A_QUESTION = 8_192;

        private final List<Integer> order;

        /** @param parts one of so many of the budget's may be spent */
        EndStateSearch(Board board, MembersByKind crew, SearchContext outlook, int parts) {
            super(board, crew, outlook, parts);
            order = crew.fewestNodesFirst();
        }

        @Override
        boolean isFull() {
            return board.count() == crew.pods();
        }

        @Override
        boolean isLegal() {
            boolean legal = board.isLegalAsAWhole();
            if (!legal) {
                isSpent();
            }
            return legal;
        }

        @Override
        void addChoices(List<Choice> choices) {
            int next = order.stream().filter(kind -> left[kind] > 0).findFirst().orElseThrow();
            add(choices, next, board.ask(next(crew.kinds().get(next))).mayFit());
        }

        /** Whether no end can be legal: some kind fits nowhere for good, or a domain is too full for the pods that are left. */
        @Override
        boolean isHopeless() {
            for (Kind kind : crew.kinds()) {
                if (isSpent()) {
                    return true;
                }
                if (left[kind.number()] > 0 && board.ask(next(kind)).mayFit().isEmpty()) {
                    return true;
                }
            }
            board.spend((long) placed.size() * MOST_DOMAINS / DOMAINS_A_QUESTION);
            for (Choice choice : placed) {
                for (HardSpread spread : crew.spreads().get(choice.kind())) {
                    if (isTooFull(spread, choice.node())) {
                        return true;
                    }
                }
            }
            return false;
        }

        /**
         * A pod with this constraint is in the node's domain and stays, so in the end each domain that counts must hold at
         * least what this one holds now less maxSkew.
         */
        private boolean isTooFull(HardSpread spread, int node) {
            Topology topology = spread.counter().topology();
            if (topology.end() > MOST_DOMAINS) {
                return false;
            }
            int needed = spread.fillOf(node) - spread.constraint().maxSkew();
            if (needed <= 0) {
                return false;
            }
            if (spread.isMeasuredFromZero()) {
                return true;
            }
            long missing = 0;
            for (int domain = 0; domain < topology.end(); domain++) {
                if (spread.counter().isCounted(domain)) {
                    missing += Math.max(0, needed - spread.counter().sumOf(domain));
                }
            }
            long coming = 0;
            for (Kind kind : crew.kinds()) {
                if (left[kind.number()] > 0 && MembersByKind.counts(spread, kind, board.view())) {
                    coming += left[kind.number()];
                }
            }
            return missing > coming;
        }
    }
}
