package io.evenkeel.whatif.drain;

import io.evenkeel.whatif.drain.DrainPlan.Step;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * A few nodes and pods, and what draining them means, written down from the documents of Kubernetes: everything is counted anew at
 * each question, and no code is shared with what it checks.
 */
final class NaiveDrains {
    /** Whether a constraint is about zones or about single nodes. */
    enum Over {
        ZONE,
        HOST
    }

    record ANode(String name, String zone, int cpu, boolean isOfSurge) {
        String domain(Over over) {
            return over == Over.ZONE ? zone : name;
        }
    }

    /**
     * An app, all of whose pods are alike.
     *
     * @param maxSkew of its hard spread constraint; 0 for none
     * @param onlyZone that its pods are to be in; empty for any
     * @param companion the app of which a pod must be in the zone; negative for none
     */
    record App(
            int cpu,
            int maxSkew,
            Over spreadOver,
            boolean isAloneOnNode,
            String onlyZone,
            int companion,
            int replicas,
            String minAvailable,
            String maxUnavailable) {}

    record APod(String name, int app) {}

    final List<ANode> nodes = new ArrayList<>();
    final List<App> apps = new ArrayList<>();
    final List<APod> pods = new ArrayList<>();
    /** By pod, the place in {@link #nodes}. */
    int[] places = {};

    int mostAway = 1;

    /** The state of a plan that is carried out. */
    final class State {
        final int[] at = places.clone();
        final boolean[] cordoned = new boolean[nodes.size()];
        final boolean[] removed = new boolean[nodes.size()];
        final List<Integer> away = new ArrayList<>();
        final Set<Integer> drained = new HashSet<>();
        private final Set<String> brokenBefore = new HashSet<>();

        State() {}

        State(State other) {
            System.arraycopy(other.at, 0, at, 0, at.length);
            System.arraycopy(other.cordoned, 0, cordoned, 0, cordoned.length);
            System.arraycopy(other.removed, 0, removed, 0, removed.length);
            away.addAll(other.away);
            drained.addAll(other.drained);
            brokenBefore.addAll(other.brokenBefore);
        }

        private int countIn(int app, Over over, String domain) {
            int count = 0;
            for (int pod = 0; pod < at.length; pod++) {
                count += pods.get(pod).app() == app
                                && at[pod] >= 0
                                && counts(app, at[pod])
                                && nodes.get(at[pod]).domain(over).equals(domain)
                        ? 1
                        : 0;
            }
            return count;
        }

        /** Whether a spread constraint of the app counts the node: taints do not matter, the node selector does. */
        private boolean counts(int app, int node) {
            String only = apps.get(app).onlyZone();
            return !removed[node] && (only.isEmpty() || nodes.get(node).zone().equals(only));
        }

        private boolean spreads(int app, int node, int more) {
            App its = apps.get(app);
            if (its.maxSkew() == 0) {
                return true;
            }
            Map<String, Integer> byDomain = new TreeMap<>();
            for (int each = 0; each < nodes.size(); each++) {
                if (counts(app, each)) {
                    String domain = nodes.get(each).domain(its.spreadOver());
                    byDomain.put(domain, countIn(app, its.spreadOver(), domain));
                }
            }
            int fewest =
                    byDomain.values().stream().mapToInt(count -> count).min().orElse(0);
            int here = byDomain.getOrDefault(nodes.get(node).domain(its.spreadOver()), 0);
            return here + more - fewest <= its.maxSkew();
        }

        private boolean isAccompanied(int pod, int node) {
            int companion = apps.get(pods.get(pod).app()).companion();
            if (companion < 0) {
                return true;
            }
            boolean anywhere = false;
            for (int other = 0; other < at.length; other++) {
                if (other != pod && pods.get(other).app() == companion && at[other] >= 0) {
                    anywhere = true;
                    if (nodes.get(at[other]).zone().equals(nodes.get(node).zone())) {
                        return true;
                    }
                }
            }
            return !anywhere && companion == pods.get(pod).app();
        }

        /** Whether a pod that is nowhere may go there. */
        boolean fits(int pod, int node) {
            return refusal(pod, node).isEmpty();
        }

        /** Why it may not, in the words of the first filter that objects; empty where it may. */
        String refusal(int pod, int node) {
            App app = apps.get(pods.get(pod).app());
            if (cordoned[node] || removed[node]) {
                return "node(s) were unschedulable";
            }
            if (!app.onlyZone().isEmpty() && !nodes.get(node).zone().equals(app.onlyZone())) {
                return "node(s) didn't match Pod's node affinity/selector";
            }
            int used = app.cpu();
            boolean hasLike = false;
            for (int other = 0; other < at.length; other++) {
                if (at[other] == node) {
                    used += apps.get(pods.get(other).app()).cpu();
                    hasLike |= pods.get(other).app() == pods.get(pod).app();
                }
            }
            if (used > nodes.get(node).cpu()) {
                return "Insufficient cpu";
            }
            if (!spreads(pods.get(pod).app(), node, 1)) {
                return "node(s) didn't match pod topology spread constraints";
            }
            if (!isAccompanied(pod, node)) {
                return "node(s) didn't match pod affinity rules";
            }
            return app.isAloneOnNode() && hasLike ? "node(s) didn't match pod anti-affinity rules" : "";
        }

        /** What is broken now may stay so. */
        void begin(int node) {
            brokenBefore.clear();
            brokenBefore.addAll(broken());
            cordoned[node] = true;
        }

        boolean isLegal() {
            return brokenBefore.containsAll(broken());
        }

        private Set<String> broken() {
            Set<String> broken = new HashSet<>();
            for (int pod = 0; pod < at.length; pod++) {
                int app = pods.get(pod).app();
                if (at[pod] >= 0 && !spreads(app, at[pod], 0)) {
                    broken.add(app + " in "
                            + nodes.get(at[pod]).domain(apps.get(app).spreadOver()));
                }
                if (at[pod] >= 0 && !isAccompanied(pod, at[pod])) {
                    broken.add(pods.get(pod).name() + " alone");
                }
            }
            return broken;
        }

        boolean letsGo(int pod) {
            int app = pods.get(pod).app();
            int there = 0;
            int all = 0;
            for (int other = 0; other < at.length; other++) {
                if (pods.get(other).app() == app) {
                    all++;
                    there += at[other] >= 0 ? 1 : 0;
                }
            }
            App its = apps.get(app);
            int desired = 0;
            if (!its.maxUnavailable().isEmpty()) {
                desired = its.replicas() - share(its.maxUnavailable(), its.replicas());
            } else if (!its.minAvailable().isEmpty()) {
                desired = share(its.minAvailable(), its.minAvailable().endsWith("%") ? its.replicas() : all);
            }
            return there - 1 >= desired;
        }

        private static int share(String text, int of) {
            return text.endsWith("%")
                    ? (int) Math.ceil(Integer.parseInt(text.substring(0, text.length() - 1)) * of / 100.0)
                    : Integer.parseInt(text);
        }

        void comeBackUntil(int stillAway) {
            while (away.size() > stillAway) {
                cordoned[away.removeFirst()] = false;
            }
        }

        void isEmptied(int node) {
            if (nodes.get(node).isOfSurge()) {
                isRemoved(node);
            } else {
                drained.add(node);
                away.add(node);
            }
        }

        void isRemoved(int node) {
            drained.add(node);
            removed[node] = true;
        }

        String key() {
            List<String> where = new ArrayList<>();
            for (int pod = 0; pod < at.length; pod++) {
                where.add(pods.get(pod).app() + "@" + at[pod]);
            }
            where.sort(Comparator.naturalOrder());
            return where + " " + away + drained;
        }
    }

    // whether there is a plan: everything is tried

    boolean canBeDrained() {
        return canGoOn(new State(), new HashSet<>());
    }

    /** Whether the node can be emptied and then be taken away. */
    boolean canGo(int node) {
        return goes(new State(), node, new HashSet<>(), _ -> true);
    }

    /** The most nodes that can go so one after the other. */
    int mostThatGo() {
        return mostThatGo(new State(), new HashSet<>());
    }

    private int mostThatGo(State state, Set<String> tried) {
        int[] most = {state.drained.size()};
        if (tried.add(state.key())) {
            for (int node = 0; node < nodes.size(); node++) {
                if (!state.removed[node]) {
                    goes(state, node, tried, next -> {
                        most[0] = Math.max(most[0], mostThatGo(next, tried));
                        return false;
                    });
                }
            }
        }
        return most[0];
    }

    private boolean goes(State state, int node, Set<String> tried, Predicate<State> then) {
        State next = new State(state);
        next.begin(node);
        return evicts(next, node, 0, new ArrayList<>(), tried, emptied -> {
            State without = new State(emptied);
            without.isRemoved(node);
            return without.isLegal() && then.test(without);
        });
    }

    private boolean canGoOn(State state, Set<String> tried) {
        if (!tried.add(state.key())) {
            return false;
        }
        boolean arePlainDrained = true;
        for (int node = 0; node < nodes.size(); node++) {
            arePlainDrained &= nodes.get(node).isOfSurge() || state.drained.contains(node);
        }
        boolean areAllDrained = true;
        for (int node = 0; node < nodes.size(); node++) {
            if (nodes.get(node).isOfSurge() != arePlainDrained || state.drained.contains(node)) {
                continue;
            }
            areAllDrained = false;
            for (int stillAway = 0; stillAway < mostAway; stillAway++) {
                State next = new State(state);
                next.comeBackUntil(stillAway);
                next.begin(node);
                for (int other = 0; arePlainDrained && other < nodes.size(); other++) {
                    next.cordoned[other] |= nodes.get(other).isOfSurge();
                }
                int drained = node;
                boolean goesOn = evicts(next, node, 0, new ArrayList<>(), tried, emptied -> {
                    State without = new State(emptied);
                    without.isEmptied(drained);
                    return canGoOn(without, tried);
                });
                if (goesOn) {
                    return true;
                }
            }
        }
        return areAllDrained;
    }

    /** Tries all sets of pods that may go at once. */
    private boolean evicts(
            State state, int node, int from, List<Integer> missing, Set<String> tried, Predicate<State> then) {
        boolean isEmpty = true;
        for (int pod = 0; pod < state.at.length; pod++) {
            if (state.at[pod] != node) {
                continue;
            }
            isEmpty = false;
            if (pod >= from && state.letsGo(pod)) {
                State next = new State(state);
                next.at[pod] = -1;
                missing.add(pod);
                if (evicts(next, node, pod + 1, missing, tried, then)) {
                    return true;
                }
                missing.removeLast();
            }
        }
        if (!missing.isEmpty()) {
            return places(state, node, missing, tried, then);
        }
        return isEmpty && state.isLegal() && then.test(state);
    }

    /** Tries all nodes for all that are missing, in all orders. */
    private boolean places(State state, int node, List<Integer> missing, Set<String> tried, Predicate<State> then) {
        if (missing.isEmpty()) {
            return tried.add("wave " + node + state.key()) && evicts(state, node, 0, new ArrayList<>(), tried, then);
        }
        if (!tried.add("places " + node + state.key())) {
            return false;
        }
        for (int pod : missing) {
            for (int to = 0; to < nodes.size(); to++) {
                if (state.fits(pod, to)) {
                    State next = new State(state);
                    next.at[pod] = to;
                    List<Integer> rest = new ArrayList<>(missing);
                    rest.remove((Integer) pod);
                    if (places(next, node, rest, tried, then)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    // whether a plan is one

    /** What a plan breaks; empty where it keeps everything. */
    String breach(List<Step> steps) {
        State state = new State();
        String breach = breach(steps, state, state::isEmptied);
        return !breach.isEmpty() || state.drained.size() == nodes.size() ? breach : "not all nodes are drained";
    }

    /** The same of nodes that go for good. */
    String breachOfGoing(List<Step> steps) {
        State state = new State();
        return breach(steps, state, state::isRemoved);
    }

    private String breach(List<Step> steps, State state, IntConsumer isEmptied) {
        for (Step step : steps) {
            int node = indexOf(step.node());
            for (String back : step.back()) {
                if (!state.away.remove((Integer) indexOf(back))) {
                    return back + " was not away";
                }
                state.cordoned[indexOf(back)] = false;
            }
            if (state.away.size() >= mostAway) {
                return "too many are away when " + step.node() + " goes";
            }
            state.begin(node);
            if (nodes.get(node).isOfSurge()) {
                for (int other = 0; other < nodes.size(); other++) {
                    state.cordoned[other] |= nodes.get(other).isOfSurge();
                }
            }
            for (List<Move> wave : step.waves()) {
                for (Move move : wave) {
                    int pod = podOf(move);
                    if (state.at[pod] != node || !move.from().equals(step.node())) {
                        return move + " is not of " + step.node();
                    }
                    if (!state.letsGo(pod)) {
                        return "no budget lets " + move + " go";
                    }
                    state.at[pod] = -1;
                }
                for (Move move : wave) {
                    if (!state.fits(podOf(move), indexOf(move.to()))) {
                        return move + " does not fit";
                    }
                    state.at[podOf(move)] = indexOf(move.to());
                }
            }
            if (Arrays.stream(state.at).anyMatch(at -> at == node)) {
                return step.node() + " is not empty";
            }
            if (!state.isLegal()) {
                return "not legal after " + step.node();
            }
            if (!state.drained.add(node)) {
                return step.node() + " was drained before";
            }
            isEmptied.accept(node);
            if (!state.isLegal()) {
                return "not legal without " + step.node();
            }
        }
        return "";
    }

    private int indexOf(String node) {
        for (int each = 0; each < nodes.size(); each++) {
            if (nodes.get(each).name().equals(node)) {
                return each;
            }
        }
        throw new IllegalArgumentException(node);
    }

    private int podOf(Move move) {
        for (int pod = 0; pod < pods.size(); pod++) {
            if (pods.get(pod).name().equals(move.pod().name())) {
                return pod;
            }
        }
        throw new IllegalArgumentException(move.toString());
    }
}
