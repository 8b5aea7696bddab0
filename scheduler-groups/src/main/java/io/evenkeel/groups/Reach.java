package io.evenkeel.groups;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.DepthSearch.OrderSearch;
import io.evenkeel.groups.DepthSearch.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * How many of a group can be placed where not all can, and which numbers of its pods could: each of them was placed before it is
 * told, every pod let in by the filters.
 */
final class Reach {
    /** Numbers that are further away are of no help. */
    static final int FURTHEST_NUMBER = 64;

    /** Larger numbers that are tried though no order of them is found. */
    private static final int MOST_IN_VAIN = 4;

    /** Orders that only look like chance, as far as a part of the budget goes. */
    private static final int MOST_ORDERS = 512;

    private static final int AN_EIGHTH = 8;
    private static final int A_HALF = 2;
    private static final int A_QUARTER = 4;

    private final Board board;
    private final MembersByKind crew;
    private final Optional<AlikePlacer> alike;
    private final int enough;
    private final IdentityHashMap<PodInfo, Integer> kindOf = new IdentityHashMap<>();
    private List<Seat> most = List.of();
    private boolean isSought;
    private boolean isMost;
    private OptionalInt more = OptionalInt.empty();
    private OptionalInt atOnce = OptionalInt.empty();

    /** @param enough so many that more are of no use */
    Reach(Board board, MembersByKind crew, Optional<AlikePlacer> alike, int enough) {
        this.board = board;
        this.crew = crew;
        this.alike = alike;
        this.enough = enough;
        crew.kinds().forEach(kind -> kind.pods().forEach(pod -> kindOf.put(pod, kind.number())));
    }

    /** The longest legal order that was come by. */
    List<Seat> most() {
        return most;
    }

    /** Whether it is known that no more have one. */
    boolean isMost() {
        return isMost;
    }

    /** How many have a legal order, where it is known that no more have; of pods that are alike. */
    OptionalInt knownMost() {
        return isMost && alike.isPresent() ? OptionalInt.of(most.size()) : OptionalInt.empty();
    }

    void keep(List<Seat> seats) {
        if (seats.size() > most.size()) {
            most = seats;
        }
    }

    /** Takes what is on the board back, and keeps its order if it is the longest so far. */
    void keepBoard() {
        if (board.count() > most.size()) {
            most = board.seats();
        }
        board.takeBackTo(0);
    }

    /**
     * Looks for as many as possible.
     *
     * @param atMost it is known that no more have a legal order
     * @param thoroughly whether more than what is told of the numbers depends on it
     */
    void findMost(int atMost, boolean thoroughly, SearchContext outlook) {
        int goal = alike.isPresent() ? findMostAlike(alike.get(), atMost) : atMost;
        isSought = true;
        isMost = most.size() >= goal;
        goal = Math.min(goal, enough);
        if (most.size() >= goal || !thoroughly) {
            return;
        }
        Board.Mark begun = board.mark();
        for (int turn = 0; turn < MOST_ORDERS && most.size() < goal && !board.isSpentSince(begun, AN_EIGHTH); turn++) {
            comeByChance(turn);
        }
        if (most.size() < goal && enough == Integer.MAX_VALUE) {
            comeOneByOne();
        }
        if (most.size() < goal) {
            OrderSearch search = new OrderSearch(board, crew, outlook, A_HALF, goal, false);
            isMost = search.run() == Outcome.NONE && crew.searchable();
            keep(search.best());
            board.takeBackTo(0);
        }
        isMost |= goal < enough && most.size() >= goal;
    }

    /** How many have a legal order at most. */
    private int findMostAlike(AlikePlacer placer, int atMost) {
        int goal = (int) Math.min(atMost, placer.room());
        while (goal > most.size() && !placer.allows(goal, A_QUARTER)) {
            goal--;
        }
        for (int count = goal; count > most.size() && !board.isSpent(); count--) {
            if (placer.place(count)) {
                keepBoard();
            }
        }
        if (most.size() < goal) {
            int longest = placer.placeLongest(goal, A_HALF);
            keepBoard();
            goal = Math.min(goal, longest);
        }
        return goal;
    }

    /** As they come without a group, and where each would go then. */
    private void comeOneByOne() {
        // what scores count by is bound when it is first asked for, and should be before any pod is tried out
        crew.kinds().forEach(kind -> board.choose(kind.first()));
        come(crew.members(), board::choose);
    }

    /** In an order that only looks like chance, and each to any node where it fits; every other turn, where its domains are the emptiest. */
    private void comeByChance(int turn) {
        SplittableRandom random = new SplittableRandom(turn);
        List<PodInfo> order = new ArrayList<>(crew.members());
        Collections.shuffle(order, random);
        come(order, pod -> anyOf(board.ask(pod).fitting(), turn % 2 == 0 ? -1 : number(pod), random));
    }

    /** @param kind in whose emptiest domains it is to be; negative where it may be in any */
    private int anyOf(NodeSetView nodes, int kind, SplittableRandom random) {
        int any = -1;
        long least = Long.MAX_VALUE;
        int among = 0;
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            long fill = kind < 0 ? 0 : crew.fillOf(kind, node);
            among = fill < least ? 1 : fill == least ? among + 1 : among;
            if (fill < least || (fill == least && random.nextInt(among) == 0)) {
                any = node;
                least = fill;
            }
        }
        return any;
    }

    private int number(PodInfo pod) {
        return Objects.requireNonNull(kindOf.get(pod));
    }

    /** Asks again the pods that fit nowhere, when others have come. */
    private void come(List<PodInfo> order, ToIntFunction<PodInfo> nodeFor) {
        List<PodInfo> waiting = new ArrayList<>(order);
        Set<Integer> turnedAway = new HashSet<>();
        int before;
        do {
            before = board.count();
            List<PodInfo> left = new ArrayList<>();
            for (PodInfo pod : waiting) {
                int node = turnedAway.contains(number(pod)) ? -1 : nodeFor.applyAsInt(pod);
                if (node < 0) {
                    turnedAway.add(number(pod));
                    left.add(pod);
                } else {
                    board.place(pod, node);
                    turnedAway.clear();
                }
            }
            waiting = left;
        } while (board.count() > before);
        keepBoard();
    }

    /** Looks for larger numbers of pods that are alike. */
    void findMore(AlikePlacer placer) {
        int inVain = 0;
        long last = Math.min((long) crew.pods() + FURTHEST_NUMBER, placer.room());
        for (int count = crew.pods() + 1; count <= last && inVain < MOST_IN_VAIN && more.isEmpty(); count++) {
            if (board.isSpent() || !placer.allows(count, A_QUARTER)) {
                continue;
            }
            inVain++;
            if (placer.place(count) || (placer.placeLongest(count, A_QUARTER) >= count && board.count() == count)) {
                more = OptionalInt.of(count);
            } else {
                board.takeBackTo(0);
                if (atOnce.isEmpty() && placer.placeAtOnce()) {
                    atOnce = OptionalInt.of(count);
                }
            }
            board.takeBackTo(0);
        }
    }

    /** Returns the words to tell; empty where there are none. */
    String words() {
        List<String> would = new ArrayList<>();
        if (knownMost().orElse(0) > 0) {
            would.add(Integer.toString(most.size()));
        }
        more.ifPresent(number -> would.add(Integer.toString(number)));
        List<String> words = new ArrayList<>();
        if (isSought && !isMost && !most.isEmpty()) {
            words.add("at least " + most.size() + " can be placed");
        }
        if (!would.isEmpty()) {
            words.add(String.join(" or ", would) + " would do");
        }
        atOnce.ifPresent(number -> words.add(number + (would.isEmpty() ? " would do at once" : " at once")));
        return String.join(", or ", words);
    }
}
