package io.evenkeel.whatif.rebalance;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * A small random cluster in plain lists, with the rules of its pods written out in the plainest way and all sets of moves tried one
 * after the other: shares nothing with what it checks.
 */
final class NaiveCluster {
    /** Where a pod is that is evicted. */
    private static final int GONE = -1;

    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";
    private static final String RACK = "rack";
    /** The first two pairs nest, of the third the domains cross. */
    private static final List<List<String>> KEYS =
            List.of(List.of(ZONE, HOST), List.of(RACK, HOST), List.of(ZONE, RACK));

    private static final List<String> APPS = List.of("web", "db");

    /** Of these there are enough everywhere. */
    static final String GPUS = "example.com/gpu";

    record Spread(
            String key,
            int maxSkew,
            int minDomains,
            String app,
            boolean byRevision,
            boolean affinity,
            boolean taints) {}

    record Term(String app, String key) {}

    record APod(
            String name,
            String namespace,
            String app,
            String revision,
            String owner,
            boolean terminating,
            boolean wantsSsd,
            boolean tolerates,
            int cpus,
            List<Spread> spreads,
            List<Term> near,
            List<Term> apart) {

        /** A pod like this that waits. */
        APod waiting(String name, int cpus) {
            return new APod(
                    name,
                    namespace,
                    app,
                    revision,
                    "ReplicaSet",
                    false,
                    wantsSsd,
                    tolerates,
                    cpus,
                    spreads,
                    near,
                    apart);
        }
    }

    record ANode(String name, Map<String, String> labels, boolean isTainted, int cpus) {}

    record Budget(String namespace, String app, int allowed) {}

    /** The best that can be done. */
    record Best(int violations, int moves) {}

    final List<ANode> nodes = new ArrayList<>();
    final List<APod> pods = new ArrayList<>();
    final List<Budget> budgets = new ArrayList<>();
    final int[] at;

    NaiveCluster(SplittableRandom random) {
        this(random, false);
    }

    /** @param byTwoKeys whether all pods of an app are spread by the same two keys, and by nothing else */
    NaiveCluster(SplittableRandom random, boolean byTwoKeys) {
        int podCount = 2 + random.nextInt(9);
        int nodeCount =
                podCount > 8 ? 2 + random.nextInt(2) : podCount > 6 ? 2 + random.nextInt(3) : 2 + random.nextInt(4);
        int zones = 1 + random.nextInt(3);
        boolean isPlain = byTwoKeys || random.nextInt(3) == 0;
        for (int i = 0; i < nodeCount; i++) {
            Map<String, String> labels = new HashMap<>();
            labels.put(HOST, "n" + i);
            if (byTwoKeys) {
                labels.put(RACK, "r" + random.nextInt(2));
            }
            if (isPlain || random.nextInt(12) > 0) {
                labels.put(ZONE, "z" + (i < zones ? i : random.nextInt(zones)));
            }
            if (random.nextInt(3) > 0) {
                labels.put("disk", "ssd");
            }
            nodes.add(new ANode("n" + i, labels, !isPlain && random.nextInt(6) == 0, 3 + random.nextInt(12)));
        }
        List<APod> templates = new ArrayList<>();
        for (String app : APPS) {
            for (int variant = 0; variant < 2; variant++) {
                templates.add(byTwoKeys ? byTwoKeys(random, app) : template(random, app, isPlain));
            }
        }
        int ofTemplates = isPlain ? 1 + random.nextInt(2) : 1 + random.nextInt(templates.size());
        for (int i = 0; i < podCount; i++) {
            APod like = templates.get(random.nextInt(ofTemplates));
            pods.add(new APod(
                    "p" + i,
                    like.namespace(),
                    like.app(),
                    random.nextInt(4) == 0 ? "2" : "1",
                    switch (random.nextInt(12)) {
                        case 0, 1 -> "";
                        case 2 -> "DaemonSet";
                        default -> "ReplicaSet";
                    },
                    !isPlain && random.nextInt(10) == 0,
                    like.wantsSsd(),
                    like.tolerates(),
                    like.cpus(),
                    like.spreads(),
                    like.near(),
                    like.apart()));
        }
        for (String app : APPS) {
            if (random.nextInt(4) == 0) {
                budgets.add(new Budget(random.nextInt(4) > 0 ? "default" : "other", app, random.nextInt(3)));
            }
        }
        at = new int[podCount];
        int crowded = random.nextInt(nodeCount);
        for (int i = 0; i < podCount; i++) {
            at[i] = random.nextInt(3) == 0 ? crowded : random.nextInt(nodeCount);
        }
    }

    private static APod byTwoKeys(SplittableRandom random, String app) {
        List<String> keys = KEYS.get(random.nextInt(KEYS.size()));
        List<Spread> spreads = keys.stream()
                .map(key -> new Spread(key, 1 + random.nextInt(4) / 3, 1, app, false, true, false))
                .toList();
        return new APod("", "default", app, "", "", false, false, false, 1, spreads, List.of(), List.of());
    }

    /** The same without pods, whose places are known. */
    private NaiveCluster(NaiveCluster other) {
        nodes.addAll(other.nodes);
        budgets.addAll(other.budgets);
        at = other.at;
    }

    /** The same with one more pod, whose place is last. */
    NaiveCluster(NaiveCluster other, APod more) {
        nodes.addAll(other.nodes);
        pods.addAll(other.pods);
        pods.add(more);
        budgets.addAll(other.budgets);
        at = Arrays.copyOf(other.at, pods.size());
    }

    /** The same of pods that have only these constraints. */
    NaiveCluster with(Predicate<Spread> kept) {
        NaiveCluster same = new NaiveCluster(this);
        pods.forEach(pod -> same.pods.add(new APod(
                pod.name(),
                pod.namespace(),
                pod.app(),
                pod.revision(),
                pod.owner(),
                pod.terminating(),
                pod.wantsSsd(),
                pod.tolerates(),
                pod.cpus(),
                pod.spreads().stream().filter(kept).toList(),
                pod.near(),
                pod.apart())));
        return same;
    }

    private static APod template(SplittableRandom random, String app, boolean isPlain) {
        List<Spread> spreads = new ArrayList<>();
        int count = isPlain ? 1 + random.nextInt(2) : random.nextInt(3);
        for (int i = 0; i < count; i++) {
            spreads.add(new Spread(
                    (i == 0) == (random.nextInt(4) > 0) ? ZONE : HOST,
                    random.nextInt(4) == 0 ? 2 : 1,
                    random.nextInt(5) == 0 ? 2 + random.nextInt(3) : 1,
                    isPlain || random.nextInt(6) > 0 ? app : APPS.get(random.nextInt(APPS.size())),
                    !isPlain && random.nextInt(5) == 0,
                    random.nextInt(4) > 0,
                    random.nextInt(3) == 0));
        }
        List<Term> near = new ArrayList<>();
        List<Term> apart = new ArrayList<>();
        if (!isPlain && random.nextInt(4) == 0) {
            apart.add(new Term(APPS.get(random.nextInt(APPS.size())), random.nextInt(3) == 0 ? ZONE : HOST));
        }
        if (!isPlain && random.nextInt(5) == 0) {
            near.add(new Term(APPS.get(random.nextInt(APPS.size())), random.nextInt(3) > 0 ? ZONE : HOST));
        }
        return new APod(
                "",
                isPlain || random.nextInt(5) > 0 ? "default" : "other",
                app,
                "",
                "",
                false,
                !isPlain && random.nextInt(5) == 0,
                random.nextInt(5) == 0,
                isPlain ? 1 : 1 + random.nextInt(3),
                List.copyOf(spreads),
                List.copyOf(near),
                List.copyOf(apart));
    }

    // the rules, in the plainest way

    private static boolean is(APod pod, String namespace, String app) {
        return pod.namespace().equals(namespace) && pod.app().equals(app);
    }

    private static boolean counts(Spread spread, APod of, APod other) {
        return is(other, of.namespace(), spread.app())
                && (!spread.byRevision() || other.revision().equals(of.revision()));
    }

    private static boolean matches(APod pod, ANode node) {
        return !pod.wantsSsd() || node.labels().containsKey("disk");
    }

    private static boolean isCounted(ANode node, APod of, Spread spread) {
        return of.spreads().stream().allMatch(all -> node.labels().containsKey(all.key()))
                && (!spread.affinity() || matches(of, node))
                && (!spread.taints() || !node.isTainted() || of.tolerates());
    }

    private boolean spreadHolds(int pod, int[] where, Spread spread) {
        APod of = pods.get(pod);
        ANode own = nodes.get(where[pod]);
        if (!own.labels().containsKey(spread.key())) {
            return false;
        }
        Map<String, Integer> domains = new HashMap<>();
        for (int node = 0; node < nodes.size(); node++) {
            ANode each = nodes.get(node);
            if (isCounted(each, of, spread)) {
                domains.merge(each.labels().get(spread.key()), 0, Integer::sum);
                for (int other = 0; other < pods.size(); other++) {
                    if (other != pod
                            && where[other] == node
                            && !pods.get(other).terminating()
                            && counts(spread, of, pods.get(other))) {
                        domains.merge(each.labels().get(spread.key()), 1, Integer::sum);
                    }
                }
            }
        }
        int fewest = domains.size() < spread.minDomains()
                ? 0
                : domains.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        return domains.getOrDefault(own.labels().get(spread.key()), 0) + (counts(spread, of, of) ? 1 : 0) - fewest
                <= spread.maxSkew();
    }

    private boolean areNear(int one, int other, String key) {
        String value = nodes.get(one).labels().get(key);
        return other != GONE
                && value != null
                && value.equals(nodes.get(other).labels().get(key));
    }

    private boolean hasCompanions(int pod, int[] where) {
        APod of = pods.get(pod);
        Predicate<APod> isCompanion =
                other -> of.near().stream().allMatch(term -> is(other, of.namespace(), term.app()));
        boolean hasAll = true;
        boolean anyCounts = false;
        for (Term term : of.near()) {
            if (!nodes.get(where[pod]).labels().containsKey(term.key())) {
                return false;
            }
            boolean has = false;
            for (int other = 0; other < pods.size(); other++) {
                if (other != pod && where[other] != GONE && isCompanion.test(pods.get(other))) {
                    anyCounts |= nodes.get(where[other]).labels().containsKey(term.key());
                    has |= areNear(where[pod], where[other], term.key());
                }
            }
            hasAll &= has;
        }
        return hasAll || (!anyCounts && isCompanion.test(of));
    }

    private boolean affinityHolds(int pod, int[] where) {
        APod of = pods.get(pod);
        for (int other = 0; other < pods.size(); other++) {
            if (other != pod) {
                APod beside = pods.get(other);
                for (Term term : of.apart()) {
                    if (is(beside, of.namespace(), term.app()) && areNear(where[pod], where[other], term.key())) {
                        return false;
                    }
                }
                for (Term term : beside.apart()) {
                    if (is(of, beside.namespace(), term.app()) && areNear(where[pod], where[other], term.key())) {
                        return false;
                    }
                }
            }
        }
        return hasCompanions(pod, where);
    }

    private boolean holds(int pod, int[] where) {
        APod of = pods.get(pod);
        if (!matches(of, nodes.get(where[pod])) || !affinityHolds(pod, where)) {
            return false;
        }
        return of.spreads().stream().allMatch(spread -> spreadHolds(pod, where, spread));
    }

    boolean fits(int pod, int[] where) {
        ANode node = nodes.get(where[pod]);
        int taken = 0;
        for (int other = 0; other < pods.size(); other++) {
            taken += where[other] == where[pod] ? pods.get(other).cpus() : 0;
        }
        return taken <= node.cpus() && (!node.isTainted() || pods.get(pod).tolerates()) && holds(pod, where);
    }

    private List<Budget> budgetsOf(int pod) {
        return budgets.stream()
                .filter(budget -> is(pods.get(pod), budget.namespace(), budget.app()))
                .toList();
    }

    /** Whether these may be evicted at once, and then each fits where it goes, one after the other; they are there then. */
    boolean isWave(List<Integer> wave, int[] where, int[] to) {
        Map<Budget, Integer> evicted = new HashMap<>();
        for (int pod : wave) {
            budgetsOf(pod).forEach(budget -> evicted.merge(budget, 1, Integer::sum));
            where[pod] = GONE;
        }
        boolean isWave = evicted.entrySet().stream()
                .allMatch(budget -> budget.getValue() <= budget.getKey().allowed());
        for (int pod : wave) {
            where[pod] = to[pod];
            isWave &= fits(pod, where);
        }
        return isWave;
    }

    boolean mayMove(int pod) {
        APod of = pods.get(pod);
        List<Budget> its = budgetsOf(pod);
        return of.owner().equals("ReplicaSet")
                && !of.terminating()
                && (its.isEmpty() || (its.size() == 1 && its.getFirst().allowed() > 0));
    }

    /** Whether some rule is broken there of a pod that stays, and held before; not one that does not count its node. */
    boolean breaks(int[] where) {
        for (int pod = 0; pod < at.length; pod++) {
            if (where[pod] == at[pod] && !pods.get(pod).terminating()) {
                if (affinityHolds(pod, at) && !affinityHolds(pod, where)) {
                    return true;
                }
                for (Spread spread : pods.get(pod).spreads()) {
                    if (isCounted(nodes.get(at[pod]), pods.get(pod), spread)
                            && spreadHolds(pod, at, spread)
                            && !spreadHolds(pod, where, spread)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    int violations(int[] where) {
        int violations = 0;
        for (int pod = 0; pod < pods.size(); pod++) {
            violations += pods.get(pod).terminating() || holds(pod, where) ? 0 : 1;
        }
        return violations;
    }

    boolean isLegal(int[] where) {
        for (int pod = 0; pod < pods.size(); pod++) {
            if (where[pod] != at[pod] && (!mayMove(pod) || !fits(pod, where))) {
                return false;
            }
        }
        return true;
    }

    int moves(int[] where) {
        int moves = 0;
        for (int pod = 0; pod < at.length; pod++) {
            moves += where[pod] == at[pod] ? 0 : 1;
        }
        return moves;
    }

    /** By trying all: the fewest violations, and the fewest moves to them. */
    Best best() {
        Best[] best = {new Best(violations(at), 0)};
        tryAll(0, at.clone(), best, this::isLegal, this::violations, _ -> true);
        return best[0];
    }

    /** The same for another goal, of moves of some pods that break no rule. */
    Best best(ToIntFunction<int[]> against, Predicate<APod> moves) {
        Best[] best = {new Best(against.applyAsInt(at), 0)};
        tryAll(0, at.clone(), best, where -> isLegal(where) && !breaks(where), against, moves);
        return best[0];
    }

    private void tryAll(
            int pod,
            int[] where,
            Best[] best,
            Predicate<int[]> isLegal,
            ToIntFunction<int[]> violationsOf,
            Predicate<APod> moves) {
        int made = moves(where);
        if (best[0].violations() == 0 && made >= best[0].moves()) {
            return;
        }
        if (pod == at.length) {
            int violations = violationsOf.applyAsInt(where);
            if ((violations < best[0].violations() || (violations == best[0].violations() && made < best[0].moves()))
                    && isLegal.test(where)) {
                best[0] = new Best(violations, made);
            }
            return;
        }
        tryAll(pod + 1, where, best, isLegal, violationsOf, moves);
        if (mayMove(pod) && moves.test(pods.get(pod))) {
            for (int node = 0; node < nodes.size(); node++) {
                if (node != at[pod]) {
                    where[pod] = node;
                    tryAll(pod + 1, where, best, isLegal, violationsOf, moves);
                }
            }
            where[pod] = at[pod];
        }
    }

    // the same for the scheduler

    ClusterSnapshot snapshot() {
        ClusterSnapshot snapshot = new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
        for (ANode node : nodes) {
            NodeBuilder built = NodeBuilder.node(node.name())
                    .labels(Labels.of(node.labels()))
                    .allocatable("cpu", Integer.toString(node.cpus()), "pods", "110", GPUS, "100");
            snapshot.put((node.isTainted() ? built.taint("t", "", TaintEffect.NO_SCHEDULE) : built).build());
        }
        for (Budget budget : budgets) {
            snapshot.put(new PodDisruptionBudget(
                    ObjectMeta.named(budget.namespace(), budget.app()), app(budget.app()), budget.allowed(), Set.of()));
        }
        for (int pod = 0; pod < at.length; pod++) {
            snapshot.put(PodBuilder.from(built(pods.get(pod)))
                    .nodeName(nodes.get(at[pod]).name())
                    .build());
        }
        return snapshot;
    }

    private static LabelSelector app(String app) {
        return LabelSelector.matchingLabels(Labels.of("app", app));
    }

    static Pod built(APod pod) {
        PodBuilder built = PodBuilder.pod(pod.namespace(), pod.name())
                .label("app", pod.app())
                .label("rev", pod.revision())
                .container("cpu", Integer.toString(pod.cpus()))
                .terminating(pod.terminating())
                .podAffinity(new PodAffinity(terms(pod.near()), List.of(), terms(pod.apart()), List.of()));
        if (!pod.owner().isEmpty()) {
            built.controller(new OwnerReference("apps/v1", pod.owner(), pod.app(), "u-" + pod.app()));
        }
        if (pod.wantsSsd()) {
            built.nodeSelector("disk", "ssd");
        }
        if (pod.tolerates()) {
            built.toleration(new Toleration("t", Toleration.Operator.EXISTS, "", Optional.empty()));
        }
        for (Spread spread : pod.spreads()) {
            built.spread(new TopologySpreadConstraint(
                    spread.maxSkew(),
                    spread.key(),
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    app(spread.app()),
                    spread.minDomains(),
                    spread.affinity() ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                    spread.taints() ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                    spread.byRevision() ? List.of("rev") : List.of()));
        }
        return built.build();
    }

    private static List<PodAffinityTerm> terms(List<Term> terms) {
        return terms.stream()
                .map(term -> new PodAffinityTerm(app(term.app()), term.key(), List.of(), LabelSelector.NOTHING))
                .toList();
    }
}
