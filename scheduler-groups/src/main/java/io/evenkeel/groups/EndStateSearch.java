package io.evenkeel.groups;

import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.groups.HardSpreads.HardSpread;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import io.evenkeel.groups.OrderSearch.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for a state in which all pods of the group are in place and each is legal beside all the others, whichever order
 * leads there. Goes through all that the filters do not turn away for good, kind by kind; a state is given up as soon as
 * some domain is so full that the pods left are too few to bring the others up to it.
 */
final class EndStateSearch {
    private static final int MOST_PODS = 1_000;

    /** Over more domains it costs more to add up what is missing than it saves. */
    private static final int MOST_DOMAINS = 512;

    /** So many are added up in the time of a question to the filters, where there are as many as that. */
    private static final int DOMAINS_A_QUESTION = 8_192;

    private final Board board;
    private final MembersByKind crew;
    private final Contents contents;
    private final List<Integer> order;
    private final int[] left;
    private final List<Integer> placedKinds = new ArrayList<>();
    private final List<Integer> placedNodes = new ArrayList<>();
    private final Set<String> nogoods = new HashSet<>();
    private final int parts;
    private final Board.Mark begin;
    private long kept;
    private boolean spent;

    /** @param parts one of so many of the budget's may be spent */
    EndStateSearch(Board board, MembersByKind crew, SearchContext outlook, int parts) {
        this.board = board;
        this.crew = crew;
        this.parts = parts;
        contents = outlook.contents();
        order = crew.fewestNodesFirst();
        left = crew.kinds().stream().mapToInt(Kind::size).toArray();
        begin = board.mark();
    }

    /** Leaves an end state on the board, if it finds one. */
    Outcome run() {
        if (crew.pods() > MOST_PODS) {
            return Outcome.SPENT;
        }
        boolean found = explore();
        return found ? Outcome.FOUND : spent ? Outcome.SPENT : Outcome.NONE;
    }

    private boolean explore() {
        if (board.count() == crew.pods()) {
            boolean legal = board.isLegalAsAWhole();
            spent |= !legal && board.isSpentSince(begin, parts);
            return legal;
        }
        if (board.isSpentSince(begin, parts)) {
            spent = true;
            return false;
        }
        String state = contents.state();
        board.spend(state.length() / Contents.CHARACTERS_A_QUESTION);
        if (nogoods.contains(state) || isHopeless()) {
            return false;
        }
        int kind = nextKind();
        for (int node : nodesFor(kind)) {
            if (spent) {
                return false;
            }
            if (take(kind, node)) {
                return true;
            }
        }
        if (!spent && kept + state.length() <= Contents.MOST_KEPT) {
            kept += state.length();
            nogoods.add(state);
        }
        return false;
    }

    private boolean take(int kind, int node) {
        Kind pods = crew.kinds().get(kind);
        board.place(pods.pods().get(pods.size() - left[kind]), node);
        contents.add(node, kind);
        left[kind]--;
        placedKinds.add(kind);
        placedNodes.add(node);
        if (explore()) {
            return true;
        }
        placedKinds.removeLast();
        placedNodes.removeLast();
        left[kind]++;
        contents.remove(node, kind);
        board.takeBack();
        return false;
    }

    private int nextKind() {
        return order.stream().filter(kind -> left[kind] > 0).findFirst().orElseThrow();
    }

    private List<Integer> nodesFor(int kind) {
        NodeSetView mayFit = board.ask(crew.kinds().get(kind).first()).mayFit();
        board.spend(mayFit.size() / Contents.CHOICES_A_QUESTION);
        Set<String> seen = new HashSet<>();
        List<Integer> nodes = new ArrayList<>();
        for (int node = mayFit.first(); node >= 0; node = mayFit.next(node + 1)) {
            if (seen.add(contents.looksOf(node))) {
                nodes.add(node);
            }
        }
        nodes.sort(Comparator.comparingLong(node -> crew.fillOf(kind, node)));
        return nodes;
    }

    /** Whether no end can be legal: some kind fits nowhere for good, or a domain is too full for the pods that are left. */
    private boolean isHopeless() {
        for (Kind kind : crew.kinds()) {
            if (board.isSpentSince(begin, parts)) {
                spent = true;
                return true;
            }
            if (left[kind.number()] > 0 && board.ask(kind.first()).mayFit().isEmpty()) {
                return true;
            }
        }
        board.spend((long) placedKinds.size() * MOST_DOMAINS / DOMAINS_A_QUESTION);
        for (int i = 0; i < placedKinds.size(); i++) {
            for (HardSpread spread : crew.spreads().get(placedKinds.get(i))) {
                if (isTooFull(spread, placedNodes.get(i))) {
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
