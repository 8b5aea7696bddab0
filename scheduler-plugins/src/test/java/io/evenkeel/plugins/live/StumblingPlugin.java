package io.evenkeel.plugins.live;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.WaitingPod;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.shape.FacetKind;
import io.evenkeel.cluster.shape.FacetTable;
import io.evenkeel.framework.FilterPlugin;
import io.evenkeel.framework.PermitPlugin;
import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PostFilterPlugin;
import io.evenkeel.framework.PreBindPlugin;
import io.evenkeel.framework.PreFilterPlugin;
import io.evenkeel.framework.PreScorePlugin;
import io.evenkeel.framework.ReservePlugin;
import io.evenkeel.framework.ScorePlugin;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Trial;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.List;

/** Stumbles now and then wherever the engine's thread calls it while a pod is decided, and agrees to everything else. */
final class StumblingPlugin
        implements PreFilterPlugin,
                FilterPlugin,
                PostFilterPlugin,
                PreScorePlugin,
                ScorePlugin,
                ReservePlugin,
                PermitPlugin,
                PreBindPlugin {
    static final String NAME = "Stumbling";

    private static final Named UNREADABLE = new Named("unreadable");
    private static final FacetKind<Named> NAMED = FacetKind.of("named", UNREADABLE, StumblingPlugin::read);

    private final Stumbles stumbles;
    private final PluginContext context;
    private final FacetTable<Named> facets;

    StumblingPlugin(PluginContext context, Stumbles stumbles) {
        this.stumbles = stumbles;
        this.context = context;
        facets = context.cluster().shapes().register(NAMED);
    }

    /** A pod's name, which some pods cannot be asked for; and others it cannot be compared with. */
    private record Named(String name) {
        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            if (name.endsWith("5")) {
                throw new AssertionError("not to be compared");
            }
            return other instanceof Named(String also) && also.equals(name);
        }
    }

    private static Named read(Pod pod) {
        if (pod.name().endsWith("7")) {
            throw new IllegalStateException("not to be read");
        }
        return new Named(pod.name());
    }

    @Override
    public String name() {
        stumbles.perhaps();
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PodInfo pod) {
        stumbles.perhaps();
        return PreFilterResult.PROCEED;
    }

    @Override
    public Status filter(CycleState state, PodInfo pod, NodeInfo node) {
        stumbles.perhaps();
        String read = pod.shape().facet(facets).value().name();
        boolean isRight = read.equals(pod.pod().name()) || read.equals(UNREADABLE.name());
        return isRight ? Status.SUCCESS : Status.unresolvable("the facet is that of " + read);
    }

    @Override
    public PostFilterPlugin.Result postFilter(CycleState state, PodInfo pod, Diagnosis diagnosis, Trial trial) {
        context.cluster().placedPods().stream().findFirst().ifPresent(trial.whatIf()::remove);
        stumbles.perhaps();
        return PostFilterPlugin.Result.none(Status.unschedulable("cannot help"));
    }

    @Override
    public Status preScore(CycleState state, PodInfo pod, NodeSet feasible) {
        stumbles.perhaps();
        return Status.SUCCESS;
    }

    @Override
    public long score(CycleState state, PodInfo pod, NodeInfo node) {
        stumbles.perhaps();
        return 0;
    }

    @Override
    public Status reserve(CycleState state, PodInfo pod, NodeInfo node) {
        stumbles.perhaps();
        stumbles.reserved.add(pod.pod().meta().uid());
        stumbles.perhaps();
        return Status.SUCCESS;
    }

    @Override
    public void unreserve(CycleState state, PodInfo pod, String nodeName) {
        stumbles.reserved.remove(pod.pod().meta().uid());
        stumbles.perhaps();
    }

    /** Delays some, and lets those go on that it has delayed before. */
    @Override
    public PermitPlugin.Result permit(CycleState state, PodInfo pod, NodeInfo node) {
        for (WaitingPod waiting : context.waitingPods().all()) {
            waiting.allow(NAME);
        }
        stumbles.perhaps();
        if (!stumbles.draws(10)) {
            return PermitPlugin.Result.ALLOW;
        }
        stumbles.delayed.add(pod.pod().meta().uid());
        return new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofSeconds(5));
    }

    @Override
    public Status preBindPreFlight(CycleState state, PodInfo pod, String nodeName) {
        stumbles.perhaps();
        return stumbles.draws(2) ? Status.SUCCESS : new Status(Status.Code.SKIP, List.of());
    }

    @Override
    public Status preBind(CycleState state, PodInfo pod, String nodeName) {
        return Status.SUCCESS;
    }
}
