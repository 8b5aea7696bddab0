package io.evenkeel.groups;

import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.groups.HardSpreads.HardSpread;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import java.util.List;

/**
 * Looks for a state in which all pods of the group are in place and each is legal beside all the others, whichever order
 * leads there. Goes through all that the filters do not turn away for good, kind by kind; a state is given up as soon as
 * some domain is so full that the pods left are too few to bring the others up to it.
 */
final class EndStateSearch extends DepthSearch {
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
        add(choices, next, board.ask(crew.kinds().get(next).first()).mayFit());
    }

    /** Whether no end can be legal: some kind fits nowhere for good, or a domain is too full for the pods that are left. */
    @Override
    boolean isHopeless() {
        for (Kind kind : crew.kinds()) {
            if (isSpent()) {
                return true;
            }
            if (left[kind.number()] > 0 && board.ask(kind.first()).mayFit().isEmpty()) {
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
