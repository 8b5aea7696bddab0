package io.evenkeel.engine.decision;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.engine.decision.Question.Candidates;
import io.evenkeel.engine.decision.Question.Progress.NodeAdvice;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.run.BindingRunner;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.FilterRunner;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.NominatedPods;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Finds the node for one pod after the other: filter, score, choose; where there is none, asks the PostFilter plugins what
 * can be done. Changes nothing in the cluster.
 *
 * <p>All nodes are looked at, unless the configuration asks for a share of them; see {@link NodeSampler}.
 */
public final class SchedulingCycle {

    /** The nodes that are scored. */
    public enum Scoring {
        /** Nothing where there is only one node to choose, and a share of the nodes where the configuration says so. */
        WHEN_NEEDED,
        /** Every feasible node, for answers in full. */
        ALWAYS
    }

    private static final int NONE = -1;

    private final ClusterState cluster;
    private final ClusterView view;
    private final SchedulingProfile profile;
    private final NodeChoice choice;
    private final Scoring scoring;
    private final NodeSampler sampler;
    private final Nominations nominations;
    private final Predicate<Pod> isLeaving;
    private final LesserPods lesser;
    private final Advised advised;
    private final Survey survey;
    private final CycleState.Writer states = CycleState.create();
    private final CycleState state = states.state();

    public SchedulingCycle(
            ClusterState cluster,
            SchedulingProfile profile,
            NodeChoice choice,
            Scoring scoring,
            OptionalInt percentageOfNodesToScore,
            NominatedPods nominated,
            Predicate<Pod> isLeaving) {
        this.isLeaving = isLeaving;
        this.lesser = LesserPods.of(cluster.view());
        this.cluster = cluster;
        this.view = cluster.view();
        this.profile = profile;
        this.choice = choice;
        this.scoring = scoring;
        this.sampler = new NodeSampler(view, percentageOfNodesToScore);
        this.nominations = new Nominations(cluster, profile.trialFilters(), nominated);
        this.advised = new Advised(view.nodes());
        this.survey = new Survey(view, profile, scoring, nominations);
    }

    /** The decision; who goes for the pod, where it fits nowhere, with regard to the extenders' advice. */
    public Decision run(PodInfo pod, VictimAdvice victimAdvice) {
        NodeSet feasible = filter(pod);
        if (feasible.first() < 0) {
            return postFilter(pod, profile.filters().diagnosis(), victimAdvice);
        }
        int nominated = scoring == Scoring.WHEN_NEEDED ? nominatedNode(view.nodes(), pod.pod()) : NONE;
        if (nominated != NONE && feasible.contains(nominated)) {
            return new Decision.Placed(pod, nominated);
        }
        sampler.sample(feasible, profile.filters().excludedCount());
        if (isOnlyOne(feasible)) {
            if (scoring == Scoring.ALWAYS) {
                profile.scores().runOnChosen(state, pod, feasible);
            }
            return new Decision.Placed(pod, feasible.first());
        }
        profile.scores().run(state, pod, feasible);
        return new Decision.Placed(pod, choice.choose(profile.scores().best(feasible), view.nodes()));
    }

    /** The decision for the node that was chosen for the pod together with others', which says no where it does not fit there. */
    public Decision runOn(PodInfo pod, int node) {
        NodeSet feasible = filter(pod);
        if (!feasible.contains(node)) {
            states.reset();
            return new Decision.Unschedulable(
                    profile.filters().diagnosis(), Optional.empty(), List.of(), List.of(), List.of(), "", false);
        }
        if (scoring == Scoring.ALWAYS) {
            profile.scores().runOnChosen(state, pod, feasible);
        }
        return new Decision.Placed(pod, node);
    }

    /**
     * The nodes that extenders are asked about.
     *
     * @param mayBeNominated whether the node that the pod is nominated to is to be tried alone
     */
    public Candidates candidates(PodInfo pod, boolean mayBeNominated, VictimAdvice victimAdvice) {
        NodeSet feasible = filter(pod);
        if (feasible.isEmpty()) {
            return new Candidates.None(postFilter(pod, profile.filters().diagnosis(), victimAdvice));
        }
        int nominated = mayBeNominated ? nominatedNode(view.nodes(), pod.pod()) : NONE;
        if (nominated != NONE && feasible.contains(nominated)) {
            return new Candidates.Some(List.of(view.nodes().node(nominated)), true);
        }
        sampler.sample(feasible, profile.filters().excludedCount());
        return new Candidates.Some(advised.nodes(feasible), false);
    }

    /**
     * Decides by what extenders make of the nodes that they were asked about, and by what has become of the cluster since.
     *
     * @return empty where the pod may still go on nodes that the extenders were not asked about, and on no other
     */
    public Optional<Decision> run(PodInfo pod, NodeAdvice given, VictimAdvice victimAdvice) {
        NodeSet feasible = filter(pod);
        ExtenderAdvice advice = given.advice();
        NodeSet left = advised.left(feasible, advice);
        if (left.isEmpty()) {
            return given.mayAskAgain() && advised.hasUnasked(feasible, given.done())
                    ? Optional.empty()
                    : Optional.of(turnedAway(pod, feasible, advice, victimAdvice));
        }
        if (isOnlyOne(left)) {
            return Optional.of(new Decision.Placed(pod, left.first()));
        }
        profile.scores().run(state, pod, left);
        long[] totals = profile.scores().totals();
        advised.addScores(totals, advice);
        return Optional.of(
                new Decision.Placed(pod, choice.choose(profile.scores().best(left, totals), view.nodes())));
    }

    private Decision turnedAway(PodInfo pod, NodeSet feasible, ExtenderAdvice advice, VictimAdvice victimAdvice) {
        if (!profile.filters().isTurnedAwayAsAWhole()) {
            advised.turnAway(profile.filters(), feasible, advice);
            profile.filters().explain(state, pod);
        }
        return postFilter(pod, profile.filters().diagnosis(), victimAdvice);
    }

    private NodeSet filter(PodInfo pod) {
        states.reset();
        NodeSet feasible = profile.filters().run(state, pod);
        nominations.leaveRoom(pod, profile.filters(), feasible);
        return feasible;
    }

    /**
     * Whether the pod fits on the node beside the pods that are nominated to it.
     *
     * @param exactly whether that may take long; else the answer is no where it would
     */
    public boolean fitsBesideNominated(PodInfo pod, int node, boolean exactly) {
        return nominations.fitsBeside(pod, node, exactly);
    }

    /**
     * A plugin that turns the pod away from the node, whichever pods go from there, and all others of its shape, namespace,
     * labels, priority and preemption policy; empty where there is none, or none can tell.
     */
    public Optional<String> obstacle(PodInfo pod, int node) {
        if (!profile.postFilters().onlyPreempt()) {
            return Optional.empty();
        }
        boolean othersMayGo = lesser.mayGoFor(pod.pod());
        return profile.trialFilters()
                .commonObjectionOn(
                        node,
                        pod,
                        status -> status.code() == Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE
                                || (status.code() == Status.Code.UNSCHEDULABLE && !othersMayGo))
                .map(Objection::plugin);
    }

    /** Whether PostFilter plugins are asked: where there are no nodes at all, none can make room. */
    public boolean asksPostFilters(Diagnosis diagnosis) {
        return diagnosis.nodeCount() > 0 && !profile.postFilters().isEmpty();
    }

    private Decision.Unschedulable postFilter(PodInfo pod, Diagnosis diagnosis, VictimAdvice victimAdvice) {
        boolean crowdedOut = nominations.crowdedOut();
        if (!asksPostFilters(diagnosis)) {
            states.reset();
            return new Decision.Unschedulable(
                    diagnosis, Optional.of(""), List.of(), List.of(), List.of(), "", crowdedOut);
        }
        try (PodTrial trial =
                new PodTrial(cluster, profile.trialFilters(), nominations, isLeaving, pod, victimAdvice)) {
            PostFilterPlugin.Result result = profile.postFilters().run(state, pod, diagnosis, trial);
            return new Decision.Unschedulable(
                    diagnosis.withPostFilter(result.status().message(), result.objecting()),
                    result.nominatedNode(),
                    result.victims(),
                    result.candidates(),
                    result.writes(),
                    profile.postFilters().settledBy(),
                    crowdedOut);
        } finally {
            states.reset();
        }
    }

    /** Of which nothing need be compared; there is one at least. */
    static boolean isOnlyOne(NodeSet feasible) {
        return feasible.next(feasible.first() + 1) < 0;
    }

    /** The node in the pod's {@code status.nominatedNodeName}: taken if it fits, whatever it scores. */
    static int nominatedNode(NodeTable nodes, Pod pod) {
        String name = pod.status().nominatedNodeName();
        return name.isEmpty() ? NONE : nodes.find(name);
    }

    /**
     * Counts the pod on the node that was just chosen for it, lets plugins reserve and asks for the permit. Where one of
     * them objects or fails, the cluster is as it was before.
     */
    public Commitment commit(Decision.Placed placed) {
        PodInfo pod = placed.pod();
        NodeInfo node = view.nodeInfo(placed.node());
        cluster.assume(pod, placed.node());
        boolean stays = false;
        try {
            Commitment made = reserveAndPermit(pod, node);
            stays = !(made instanceof Commitment.Refused);
            return made;
        } catch (PluginFailure failure) {
            return new Commitment.Refused(failure.asObjection());
        } finally {
            if (!stays) {
                takeBack(pod, node);
            }
            states.reset();
        }
    }

    private Commitment reserveAndPermit(PodInfo pod, NodeInfo node) {
        BindingRunner plugins = profile.binding();
        Optional<Objection> objection = plugins.reserve(state, pod, node);
        if (objection.isPresent()) {
            return new Commitment.Refused(objection.get());
        }
        return switch (plugins.permit(state, pod, node)) {
            case Permission.Denied denied -> new Commitment.Refused(denied.objection());
            case Permission.Granted _ -> new Commitment.Ready(steps(pod, node));
            case Permission.Delayed delayed -> new Commitment.Waiting(steps(pod, node), delayed.delays());
        };
    }

    private BindingSteps steps(PodInfo pod, NodeInfo node) {
        return profile.binding().steps(state, pod, node.name());
    }

    private void takeBack(PodInfo pod, NodeInfo node) {
        try {
            profile.binding().unreserve(state, pod, node.name());
        } finally {
            cluster.removePod(pod.pod().key());
        }
    }

    /** Whether the pod has been asked to go, though the cluster does not show it yet. */
    public boolean isLeaving(Pod pod) {
        return isLeaving.test(pod);
    }

    /** Answers for the filters of this profile while a group is tried out; the caller's own. */
    public NodeVerdicts verdicts() {
        return new NodeVerdicts(view, profile, nominations);
    }

    /** Looks at pods of this profile for people who want to know why, as if no decision were to be made. */
    public Survey survey() {
        return survey;
    }

    public SchedulingProfile profile() {
        return profile;
    }

    /**
     * Leaves only some of the feasible nodes to be scored, where the configuration sets {@code percentageOfNodesToScore}.
     *
     * <p>As in the reference, at least 100 nodes are kept, and each pod starts looking where the one before it stopped, so
     * that all nodes get their turn. Without the setting all nodes are scored: that is what this scheduler is fast for.
     */
    static final class NodeSampler {
        private static final int FEWEST_NODES = 100;

        private final ClusterView cluster;
        private final OptionalInt percentage;
        private final NodeSet kept = new NodeSet();
        private int nextStart;

        NodeSampler(ClusterView cluster, OptionalInt percentage) {
            this.cluster = cluster;
            this.percentage = percentage;
        }

        /** Takes feasible nodes out until there are no more than wanted. */
        void sample(NodeSet feasible, int excluded) {
            if (percentage.isEmpty() || percentage.getAsInt() <= 0 || percentage.getAsInt() >= 100) {
                return;
            }
            int nodes = cluster.nodes().count() - excluded;
            int wanted = Math.max(FEWEST_NODES, (int) ((long) nodes * percentage.getAsInt() / 100));
            if (nodes <= FEWEST_NODES || feasible.size() <= wanted) {
                return;
            }
            kept.clear();
            int node = feasible.next(nextStart);
            for (int count = 0; count < wanted; count++) {
                if (node < 0) {
                    node = feasible.first();
                }
                kept.add(node);
                nextStart = node + 1;
                node = feasible.next(nextStart);
            }
            feasible.copyFrom(kept);
        }
    }

    /** A trial for one pod. When it is over, the cluster is as it was, whatever the plugin has left open. */
    private static final class PodTrial implements BatchTrial, AutoCloseable {
        private final ClusterState cluster;
        private final FilterRunner filters;
        private final Nominations nominations;
        private final Predicate<Pod> isLeaving;
        private final PodInfo pod;
        private final VictimAdvice victimAdvice;
        private final ArrayDeque<WhatIf> begun = new ArrayDeque<>();
        private String objector = "";
        private boolean isOver;

        /** @param filters of the pod's profile, used by trials alone */
        PodTrial(
                ClusterState cluster,
                FilterRunner filters,
                Nominations nominations,
                Predicate<Pod> isLeaving,
                PodInfo pod,
                VictimAdvice victimAdvice) {
            this.isLeaving = isLeaving;
            this.victimAdvice = victimAdvice;
            this.cluster = cluster;
            this.filters = filters;
            this.nominations = nominations;
            this.pod = pod;
        }

        @Override
        public WhatIf whatIf() {
            requireUnderway();
            WhatIf whatIf = cluster.whatIf();
            begun.push(whatIf);
            return whatIf;
        }

        @Override
        public Status verdictOn(int node) {
            requireUnderway();
            Optional<Objection> objection =
                    nominations.objection(pod, node).or(() -> filters.objectionOn(node, new CycleState(), pod));
            objector = objection.map(Objection::plugin).orElse(objector);
            return objection.map(Objection::status).orElse(Status.SUCCESS);
        }

        @Override
        public String objector() {
            return objector;
        }

        @Override
        public Optional<FilterDryRuns> dryRuns() {
            requireUnderway();
            return filters.dryRuns(pod);
        }

        @Override
        public boolean isLeaving(Pod other) {
            return isLeaving.test(other);
        }

        @Override
        public VictimAdvice victimAdvice() {
            return victimAdvice;
        }

        @Override
        public List<PodInfo> nominatedTo(int node) {
            return nominations.aheadOf(pod, node);
        }

        @Override
        public NodeSetView awaited() {
            return nominations.awaited(pod);
        }

        @Override
        public void close() {
            isOver = true;
            while (!begun.isEmpty()) {
                begun.pop().close();
            }
        }

        private void requireUnderway() {
            if (isOver) {
                throw new IllegalStateException("the trial of pod " + pod.pod().key() + " is over");
            }
        }
    }
}
