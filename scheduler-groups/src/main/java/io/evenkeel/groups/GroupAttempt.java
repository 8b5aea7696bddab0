package io.evenkeel.groups;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.AlikeModel.AlikeModelBuilder;
import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.DepthSearch.EndStateSearch;
import io.evenkeel.groups.DepthSearch.OrderSearch;
import io.evenkeel.groups.DepthSearch.Outcome;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import java.util.List;
import java.util.Optional;

/** One group that is looked into, layer by layer; see {@link JointPlacer}. */
final class GroupAttempt {
    /** Of the budget, what the search for an order may take before it is asked whether there is any end at all. */
    private static final int A_QUARTER = 4;

    private static final int A_HALF = 2;
    private static final int MANY_PODS = 64;
    private static final int SO_MANY_PODS = 1_000;
    private static final int LITTLE_ROOM = 2;
    private static final int ALL = 1;

    private final Board board;
    private final MembersByKind crew;
    private final SearchContext outlook;
    private final Optional<AlikePlacer> alike;
    private final Reach reach;

    /** @param enough so many that more are of no use, where not all can be placed */
    GroupAttempt(Board board, MembersByKind crew, int enough) {
        this.board = board;
        this.crew = crew;
        this.outlook = new SearchContext(board, crew);
        this.alike = crew.kinds().size() == 1
                ? Optional.of(new AlikePlacer(
                        board, model(crew.kinds()), crew.kinds().getFirst().pods()))
                : Optional.empty();
        this.reach = new Reach(board, crew, alike, enough);
    }

    JointPlacer.Found run(boolean wantsMost) {
        boolean planned = alike.isPresent() && isWorthAPlan(alike.get().room());
        if (planned && alike.get().place(crew.pods())) {
            return placed();
        }
        if (new GreedyPlacer(board, crew).run()) {
            return placed();
        }
        reach.keepBoard();
        // whatever can be placed needs no proof that it cannot, which costs a flow more
        if (!planned && alike.isPresent() && alike.get().place(crew.pods())) {
            return placed();
        }
        Optional<JointPlacement> impossible = disproof(wantsMost);
        return impossible.map(this::found).orElseGet(() -> search(wantsMost));
    }

    /**
     * Many pods with keys that may cross run into a corner one by one where nodes have little room, and each costs a look at
     * all nodes: what is greedy could spend a live budget before a plan is made.
     */
    private boolean isWorthAPlan(long room) {
        int nodes = crew.mayFit().getFirst().size();
        return crew.pods() >= MANY_PODS
                && crew.spreads().getFirst().size() > 1
                && (crew.pods() >= SO_MANY_PODS || room <= (long) LITTLE_ROOM * nodes);
    }

    private JointPlacer.Found placed() {
        List<Seat> order = board.seats();
        return new JointPlacer.Found(new JointPlacement.Placed(order, board.steps()), order);
    }

    private JointPlacer.Found found(JointPlacement verdict) {
        return new JointPlacer.Found(verdict, reach.most(), Optional.empty(), reach.isMost());
    }

    private Optional<JointPlacement> disproof(boolean wantsMost) {
        Optional<Kind> nowhere = crew.thatFitsNowhere();
        if (nowhere.isPresent()) {
            PodInfo pod = nowhere.get().first();
            String words = "pod " + pod.pod().key() + " fits nowhere: "
                    + board.ask(pod).message();
            if (wantsMost) {
                reach.findMost(crew.pods() - nowhere.get().size(), true, outlook);
            }
            return Optional.of(infeasible(words, new Proof.FitsNowhere(pod.pod().key())));
        }
        for (List<Kind> kinds : crew.alikeInSpread(board.view())) {
            AlikeModel model = model(kinds);
            List<PodInfo> pods =
                    kinds.stream().flatMap(kind -> kind.pods().stream()).toList();
            Optional<Disproof> found = Disproof.find(
                    model, pods.stream().map(pod -> pod.pod().key()).toList(), board::spend);
            if (found.isPresent()) {
                if (wantsMost || alike.isPresent()) {
                    reach.findMost(crew.pods() - 1, wantsMost, outlook);
                }
                alike.ifPresent(reach::findMore);
                String words = CertificateWords.of(found.get(), pods.size(), reach.knownMost(), board::spend);
                return Optional.of(infeasible(words, found.get().proof()));
            }
        }
        return Optional.empty();
    }

    private JointPlacement infeasible(String words, Proof proof) {
        return new JointPlacement.Infeasible(new Certificate(words, proof).with(reach.words()), board.steps());
    }

    private AlikeModel model(List<Kind> kinds) {
        NodeSet mayFit = new NodeSet();
        kinds.forEach(kind -> mayFit.addAll(crew.mayFit().get(kind.number())));
        Kind first = kinds.getFirst();
        return AlikeModelBuilder.build(
                board.view(), kinds, crew.spreads().get(first.number()), board.judge(first.first()), mayFit);
    }

    private JointPlacer.Found search(boolean wantsMost) {
        Outcome order = Outcome.SPENT;
        int longest = crew.pods();
        if (alike.isPresent()) {
            longest = alike.get().placeLongest(crew.pods(), A_QUARTER);
            if (board.count() == crew.pods()) {
                return placed();
            }
            reach.keepBoard();
            order = longest < crew.pods() ? Outcome.NONE : order;
        }
        if (order == Outcome.SPENT) {
            order = new OrderSearch(board, crew, outlook, A_QUARTER, crew.pods(), true).run();
            if (board.count() == crew.pods()) {
                return placed();
            }
            reach.keepBoard();
        }
        Outcome end = Outcome.FOUND;
        if (alike.isEmpty() || !alike.get().placeAtOnce()) {
            end = new EndStateSearch(board, crew, outlook, wantsMost ? A_QUARTER : A_HALF).run();
        }
        List<Seat> atOnce = board.seats();
        board.takeBackTo(0);
        boolean noOrder = crew.searchable()
                && (order == Outcome.NONE || (end == Outcome.NONE && crew.endsOfOrdersAreLegal(board.view())));
        if (!noOrder && !wantsMost) {
            order = new OrderSearch(board, crew, outlook, ALL, crew.pods(), true).run();
            noOrder = crew.searchable() && order == Outcome.NONE;
            reach.keepBoard();
        } else if (wantsMost || alike.isPresent()) {
            reach.findMost(noOrder ? Math.min(longest, crew.pods() - 1) : crew.pods(), wantsMost, outlook);
        }
        if (reach.most().size() == crew.pods()) {
            return new JointPlacer.Found(new JointPlacement.Placed(reach.most(), board.steps()), reach.most());
        }
        return found(verdict(end, atOnce, noOrder));
    }

    private JointPlacement verdict(Outcome end, List<Seat> atOnce, boolean noOrder) {
        if (end == Outcome.FOUND) {
            return new JointPlacement.EndStateOnly(atOnce, noOrder, reach.words(), board.steps());
        }
        if (end == Outcome.NONE && noOrder) {
            String words = "none of all orders and states of these " + crew.pods() + " pods is legal: gone through in "
                    + board.steps() + " steps";
            return infeasible(words, new Proof.Exhausted(board.steps()));
        }
        return new JointPlacement.Unknown(
                board.budget(),
                noOrder ? "no order is legal; whether all can go at once is not known" : "no legal order is found yet",
                reach.words(),
                board.steps());
    }
}
