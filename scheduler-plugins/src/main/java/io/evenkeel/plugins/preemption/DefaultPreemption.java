package io.evenkeel.plugins.preemption;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.Difference;
import io.evenkeel.config.PluginArgs.DefaultPreemptionArgs;
import io.evenkeel.framework.PreemptingPlugin;
import io.evenkeel.framework.PreemptingPlugin.VictimOrder;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.FitError;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.preemption.Search.Findings;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds pods of lower priority that go so that a pod may run: on one node, as few and as unimportant ones as possible, and
 * none with a PodDisruptionBudget that is used up while there is another way.
 */
public final class DefaultPreemption implements PreemptingPlugin, WakeUpPlugin {
    public static final String NAME = "DefaultPreemption";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, DefaultPreemption.class, DefaultPreemption::new);

    private static final String PREFIX = "preemption: ";
    private static final String NEVER = "not eligible due to preemptionPolicy=Never.";
    private static final String UNDERWAY = "not eligible due to a terminating pod on the nominated node.";
    private static final String NO_CANDIDATE = "no candidate node for preemption";
    private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

    private final ClusterView cluster;
    private final LesserPods lesser;
    private final EvictionIndex index;
    private final Search search;
    private final ExtendersChoice choice;
    private final DefaultPreemptionArgs args;
    private final boolean isTold;

    DefaultPreemption(TreeContext context) {
        cluster = context.cluster();
        lesser = LesserPods.of(cluster);
        index = cluster.index(EvictionIndex.class, EvictionIndex::new);
        search = new Search(cluster, index);
        choice = new ExtendersChoice();
        args = context.argsOr(DefaultPreemptionArgs.class, DefaultPreemptionArgs.defaults());
        isTold = context.featureGates().has(Difference.PREEMPTION_IS_TOLD);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(Kinds.POD_DISRUPTION_BUDGET);
    }

    /**
     * Of a pod for which nobody goes as others are going already. Of any other the plugins know what helps that turned it away,
     * or would if others went.
     */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on(DefaultPreemption::hasMadeWay, ChangeKind.ASSIGNED_POD_DELETED)
                .alike(waiting -> List.of(
                        waiting.pod().spec().priority(), waiting.pod().status().nominatedNodeName())));
    }

    /** The node may be named no longer, where another plugin has taken the nomination away: any may have been it then. */
    private static boolean hasMadeWay(PendingPod waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        String node = waiting.pod().status().nominatedNodeName();
        return LesserPods.isLesser(gone, waiting.pod())
                && (node.isEmpty() || node.equals(gone.spec().nodeName()));
    }

    @Override
    public VictimOrder victimOrder() {
        return new EvictionOrder(index.budgets());
    }

    @Override
    public Result postFilter(CycleState state, PendingPod waiting, NodeStatuses statuses, Trial trial) {
        PodInfo pod = PodInfo.of(waiting);
        Diagnosis diagnosis = (Diagnosis) statuses;
        if (!pod.pod().spec().preempts()) {
            return Result.none(unschedulable(NEVER));
        }
        if (isNominatedNodeBeingCleared(pod.pod(), diagnosis, trial)) {
            return Result.none(unschedulable(UNDERWAY)).objectedToBy(Set.of(NAME));
        }
        NodeSetView nodes = whereEvictionMayHelp(diagnosis);
        if (!lesser.mayGoFor(pod.pod())) {
            int asked = nodes.size();
            return nobody(asked, asked == 0 ? Map.of() : Map.of(NodeDryRun.NO_VICTIMS, asked), Set.of());
        }
        Findings found = search.among(nodes, pod, diagnosis, BatchTrial.of(trial));
        return switch (trial.victimAdvice()) {
            case VictimAdvice.NotNeeded _ -> found.best().map(this::preempt).orElseGet(() -> nobody(found));
            case VictimAdvice _ when !found.concernsExtenders() -> nobody(found);
            case VictimAdvice.Needed _ -> Result.askExtenders(shortlist(found));
            case VictimAdvice.Failed(String message) -> Result.none(Status.unresolvable(PREFIX + message));
            case VictimAdvice.Given given -> byChoice(given, found);
        };
    }

    private Result preempt(PreemptionCandidate best) {
        if (!isTold) {
            return Result.preempt(best.node(), best.victims());
        }
        String told = PREFIX + "found a potential placement for pod on node " + best.node() + ", preempting "
                + best.victims().size() + " victims";
        return new Result(
                new Status(Status.Code.SUCCESS, List.of(told)),
                Optional.of(best.node()),
                best.victims(),
                List.of(),
                Set.of());
    }

    /** Where extenders leave nothing it is not known what would help: anything may. */
    private Result byChoice(VictimAdvice.Given given, Findings found) {
        Optional<PreemptionCandidate> chosen = choice.best(given, found);
        if (chosen.isPresent()) {
            return preempt(chosen.get());
        }
        List<PreemptionCandidate> now = shortlist(found);
        return given.mayAskAgain() && !ExtendersChoice.isWhatWasAskedAbout(given, now)
                ? Result.askExtenders(now)
                : Result.none(unschedulable(NO_CANDIDATE)).objectedToBy(Set.of(VictimAdvice.EXTENDER));
    }

    /** Returns the candidates that extenders are asked about: the best. */
    private List<PreemptionCandidate> shortlist(Findings found) {
        long ofAll = (long) found.nodeCount() * args.minCandidateNodesPercentage() / 100;
        return found.best((int) Math.max(1, Math.max(ofAll, args.minCandidateNodesAbsolute())));
    }

    private Result nobody(Findings found) {
        return nobody(found.nodeCount(), found.objections(), found.objecting());
    }

    /** Says that no pod can go: of each node why, unless one made no sense. */
    private Result nobody(int asked, Map<Status, Integer> objections, Set<String> objecting) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (Map.Entry<Status, Integer> objection : objections.entrySet()) {
            Status status = objection.getKey();
            if (!status.isRejected()) {
                return Result.none(Status.error(PREFIX + status.message()));
            }
            status.reasons().forEach(reason -> counts.merge(reason, objection.getValue(), Integer::sum));
        }
        int nodes = cluster.nodes().count();
        int notAsked = nodes - asked;
        if (notAsked > 0) {
            counts.merge(NOT_HELPFUL, notAsked, Integer::sum);
        }
        return new Result(unschedulable(FitError.message(nodes, counts)), Optional.of("")).objectedToBy(objecting);
    }

    /** Whether pods are going from the pod's nominated node already, so that no others need to go from anywhere. */
    private boolean isNominatedNodeBeingCleared(Pod pod, Diagnosis diagnosis, Trial trial) {
        int node = cluster.nodes().find(pod.status().nominatedNodeName());
        return node >= 0 && mayStillFit(node, diagnosis) && isBeingCleared(node, pod, trial);
    }

    /** Where no eviction lets the pod run on its nominated node any more, it must look for another. */
    private static boolean mayStillFit(int node, Diagnosis diagnosis) {
        return diagnosis
                .statusAgainst(node)
                .filter(status -> status.code() != Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE)
                .isPresent();
    }

    /**
     * Whether a pod that was preempted is still on its way out: for whomever, as the pod has to leave those room who are
     * nominated to the node with it.
     */
    private boolean isBeingCleared(int node, Pod preemptor, Trial trial) {
        PodTable pods = cluster.pods();
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            Pod pod = pods.pod(row);
            if (LesserPods.isLesser(pod, preemptor)
                    && (trial.isLeaving(pod)
                            || (pod.meta().terminating() && pod.status().isPreempted()))) {
                return true;
            }
        }
        return false;
    }

    /** The nodes with a verdict that says that it could be another with other pods there. */
    private NodeSetView whereEvictionMayHelp(Diagnosis diagnosis) {
        if (diagnosis.preFilter().isPresent()) {
            Status ofAll = diagnosis.preFilter().get().status();
            return isResolvable(ofAll) ? cluster.nodes().present() : NodeSetView.NONE;
        }
        NodeSet nodes = new NodeSet();
        for (Rejection rejection : diagnosis.rejections()) {
            if (isResolvable(rejection.status())) {
                nodes.addAll(rejection.nodes());
            }
        }
        return nodes;
    }

    private static boolean isResolvable(Status status) {
        return status.code() == Status.Code.UNSCHEDULABLE;
    }

    private static Status unschedulable(String why) {
        return Status.unschedulable(PREFIX + why);
    }

    /** The order of victims and the budgets of DefaultPreemption, for others who let pods go. */
    private record EvictionOrder(Budgets budgets) implements VictimOrder {
        /** A pod told to go that is not deleted yet, as the one who told it leads no more, goes rather than others. */
        private static final Comparator<Pod> TOLD_LAST = Comparator.comparing(
                        (Pod pod) -> pod.status().isPreempted())
                .thenComparing(Victims.MOST_IMPORTANT_FIRST);

        @Override
        public Comparator<Pod> mostImportantFirst() {
            return TOLD_LAST;
        }

        @Override
        public boolean isLeaving(Pod pod) {
            return pod.meta().terminating();
        }

        @Override
        public BitSet violating(int[] rows) {
            boolean[] violating = new boolean[rows.length];
            budgets.markViolating(rows, rows.length, violating);
            BitSet places = new BitSet(rows.length);
            for (int place = 0; place < rows.length; place++) {
                places.set(place, violating[place]);
            }
            return places;
        }
    }

    /**
     * The best of what extenders leave, by their own word of who goes. They were asked a while ago: what they say of a node counts
     * only where the same pods would go now as then.
     *
     * <pre>
     * asked about   n1: a      n2: b      n3: c, d
     * left          n1: a                 n3: d
     * now           n1: e      n2: b      n3: c, d       a has ended meanwhile, and e is in its place
     * to choose                           n3: d
     * </pre>
     */
    private final class ExtendersChoice {
        private final Answers answers = new Answers(cluster.nodes());

        /** By what is found now. */
        Optional<PreemptionCandidate> best(VictimAdvice.Given given, Findings found) {
            return given.left().stream()
                    .filter(left -> asked(given, left.node())
                            .filter(then -> isStillSo(then, found))
                            .isPresent())
                    .map(this::asItIsNow)
                    .filter(left -> !left.victims().isEmpty())
                    .reduce((best, next) -> isBetter(next, best) ? next : best);
        }

        /** Whether these are only the nodes that extenders were asked about and left none of. */
        static boolean isWhatWasAskedAbout(VictimAdvice.Given given, List<PreemptionCandidate> now) {
            return now.stream()
                    .allMatch(each ->
                            asked(given, each.node()).filter(each::isSameAs).isPresent());
        }

        private static Optional<PreemptionCandidate> asked(VictimAdvice.Given given, String node) {
            return given.asked().stream()
                    .filter(each -> each.node().equals(node))
                    .findFirst();
        }

        private boolean isStillSo(PreemptionCandidate asked, Findings found) {
            int node = cluster.nodes().findPresent(asked.node());
            return node >= 0 && found.on(node).filter(asked::isSameAs).isPresent();
        }

        /** With those whom they chose as they are known by now. */
        private PreemptionCandidate asItIsNow(PreemptionCandidate left) {
            List<Pod> there = left.victims().stream()
                    .flatMap(victim -> cluster
                            .pod(victim.key())
                            .filter(now -> now.meta().uid().equals(victim.meta().uid()) && isOn(left.node(), now))
                            .stream())
                    .toList();
            return new PreemptionCandidate(left.node(), there, left.violations());
        }

        private boolean isOn(String node, Pod pod) {
            int row = cluster.pods().find(pod.key());
            return cluster.nodes().name(cluster.pods().node(row)).equals(node);
        }

        private boolean isBetter(PreemptionCandidate candidate, PreemptionCandidate best) {
            return answers.isBetter(put(candidate), answers, put(best));
        }

        private int put(PreemptionCandidate candidate) {
            int node = cluster.nodes().find(candidate.node());
            answers.put(node, new ChosenVictims(candidate));
            return node;
        }

        /** The cost of the victims that extenders have chosen, by their word. */
        private record ChosenVictims(PreemptionCandidate candidate) implements Answers.Harm {

            @Override
            public long violations() {
                return candidate.violations();
            }

            @Override
            public int victimCount() {
                return candidate.victims().size();
            }

            @Override
            public int highestPriority() {
                return candidate.victims().stream()
                        .mapToInt(Victims::priority)
                        .max()
                        .orElseThrow();
            }

            @Override
            public long prioritySum() {
                return candidate.victims().stream()
                        .mapToLong(victim -> Victims.positive(Victims.priority(victim)))
                        .sum();
            }

            @Override
            public String earliestStart() {
                int highest = highestPriority();
                return candidate.victims().stream()
                        .filter(victim -> Victims.priority(victim) == highest)
                        .map(Victims::start)
                        .min(String::compareTo)
                        .orElseThrow();
            }
        }
    }
}
