package io.evenkeel.engine.group;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.engine.group.JointPlacement.Seat;
import io.evenkeel.engine.group.OrderSearch.Outcome;
import io.evenkeel.engine.group.PodKinds.Kind;
import io.evenkeel.engine.group.flow.AlikeModel;
import io.evenkeel.engine.group.flow.Certificate;
import io.evenkeel.engine.group.flow.Certificate.Proof;
import io.evenkeel.engine.group.flow.CertificateWords;
import io.evenkeel.engine.group.flow.Disproof;
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
    private final Crew crew;
    private final Outlook outlook;
    private List<Seat> most = List.of();

    GroupAttempt(Board board, Crew crew) {
        this.board = board;
        this.crew = crew;
        this.outlook = new Outlook(board, crew);
    }

    JointPlacer.Found run(boolean wantsMost) {
        Optional<AlikePlacer> alike = crew.kinds().size() == 1
                ? Optional.of(new AlikePlacer(
                        board, model(crew.kinds()), crew.kinds().getFirst().pods()))
                : Optional.empty();
        boolean planned = alike.isPresent() && isWorthAPlan(alike.get().room());
        if (planned && alike.get().place(crew.pods())) {
            return placed();
        }
        if (new GreedyPlacer(board, crew).run()) {
            return placed();
        }
        keepMost(board.seats());
        board.takeBackTo(0);
        // whatever can be placed needs no proof that it cannot, which costs a flow more
        if (!planned && alike.isPresent() && alike.get().place(crew.pods())) {
            return placed();
        }
        Optional<JointPlacement> impossible = disproof();
        JointPlacement verdict = impossible.orElseGet(() -> search(alike));
        if (verdict instanceof JointPlacement.Placed(List<Seat> order, long _)) {
            return new JointPlacer.Found(verdict, order);
        }
        if (wantsMost) {
            if (alike.isPresent()) {
                findMost(alike.get());
            } else {
                searchMost();
            }
        }
        return new JointPlacer.Found(verdict, most);
    }

    /**
     * Many pods with keys that may cross run into a corner one by one where nodes have little room, and each costs a look at
     * all nodes.
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

    private void keepMost(List<Seat> seats) {
        if (seats.size() > most.size()) {
            most = seats;
        }
    }

    private Optional<JointPlacement> disproof() {
        Optional<Kind> nowhere = crew.thatFitsNowhere();
        if (nowhere.isPresent()) {
            PodInfo pod = nowhere.get().first();
            String words = "pod " + pod.pod().key() + " fits nowhere: "
                    + board.ask(pod).message();
            return Optional.of(new JointPlacement.Infeasible(
                    new Certificate(words, new Proof.FitsNowhere(pod.pod().key())), board.steps()));
        }
        for (List<Kind> kinds : crew.alikeInSpread(board.view())) {
            AlikeModel model = model(kinds);
            List<PodInfo> pods =
                    kinds.stream().flatMap(kind -> kind.pods().stream()).toList();
            Optional<Proof> proof = Disproof.find(
                    model, pods.stream().map(pod -> pod.pod().key()).toList(), board::spend);
            if (proof.isPresent()) {
                String words =
                        CertificateWords.of(model, pods.size(), crew.kinds().size() == 1, board::spend);
                return Optional.of(new JointPlacement.Infeasible(new Certificate(words, proof.get()), board.steps()));
            }
        }
        return Optional.empty();
    }

    private AlikeModel model(List<Kind> kinds) {
        NodeSet mayFit = new NodeSet();
        kinds.forEach(kind -> mayFit.addAll(crew.mayFit().get(kind.number())));
        Kind first = kinds.getFirst();
        return AlikeModelBuilder.build(
                board.view(), kinds, crew.spreads().get(first.number()), board.judge(first.first()), mayFit);
    }

    private JointPlacement search(Optional<AlikePlacer> alike) {
        OrderSearch first = new OrderSearch(board, crew, outlook, A_QUARTER, true);
        Outcome order = first.run();
        keepMost(first.best());
        if (order == Outcome.FOUND) {
            return new JointPlacement.Placed(board.seats(), board.steps());
        }
        board.takeBackTo(0);
        List<Seat> atOnce = List.of();
        Outcome end = Outcome.NONE;
        if (alike.isPresent() && alike.get().placeAtOnce()) {
            end = Outcome.FOUND;
            atOnce = board.seats();
        } else {
            end = new EndStateSearch(board, crew, outlook, A_HALF).run();
            atOnce = board.seats();
        }
        board.takeBackTo(0);
        if (order == Outcome.SPENT && !(end == Outcome.NONE && crew.endsOfOrdersAreLegal(board.view()))) {
            OrderSearch second = new OrderSearch(board, crew, outlook, ALL, true);
            order = second.run();
            keepMost(second.best());
            if (order == Outcome.FOUND) {
                return new JointPlacement.Placed(board.seats(), board.steps());
            }
            board.takeBackTo(0);
        }
        boolean noOrder = crew.searchable()
                && (order == Outcome.NONE || (end == Outcome.NONE && crew.endsOfOrdersAreLegal(board.view())));
        if (end == Outcome.FOUND) {
            return new JointPlacement.EndStateOnly(atOnce, noOrder, board.steps());
        }
        if (end == Outcome.NONE && noOrder && crew.searchable()) {
            String words = "none of all orders and states of these " + crew.pods() + " pods is legal: gone through in "
                    + board.steps() + " steps";
            return new JointPlacement.Infeasible(
                    new Certificate(words, new Proof.Exhausted(board.steps())), board.steps());
        }
        return new JointPlacement.Unknown(
                board.budget(),
                noOrder ? "no order is legal; whether a state is, is not known" : "no legal order is found yet",
                board.steps());
    }

    /** The largest number of them that the model finds an order for. */
    private void findMost(AlikePlacer alike) {
        int fewer = (int) Math.min(crew.pods() - 1, alike.room());
        for (int count = fewer; count > most.size() && !board.isSpent(); count--) {
            if (alike.place(count)) {
                keepMost(board.seats());
                board.takeBackTo(0);
            }
        }
    }

    /** As many as a search comes by that passes over pods which fit nowhere any more. */
    private void searchMost() {
        keepMost(OrderSearch.ofAsManyAsPossible(board, crew, outlook, A_QUARTER));
        board.takeBackTo(0);
    }
}
