package io.evenkeel.world.plugin;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.api.WaitingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.model.Pod;
import io.evenkeel.world.plugin.Whims.Point;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Agrees to everything, but where its whims seize it. Whom it has turned away it wants to look at again when its labels or
 * a node's change, which the world sees to once the whims are over.
 */
public final class WhimsicalPlugin
        implements PreEnqueuePlugin,
                PreFilterPlugin,
                FilterPlugin,
                PostFilterPlugin,
                PreScorePlugin,
                ScorePlugin,
                ReservePlugin,
                PermitPlugin,
                PreBindPlugin,
                BindPlugin,
                PostBindPlugin,
                WakeUpPlugin {
    public static final String NAME = "Whimsical";

    private static final Status SKIP = new Status(Status.Code.SKIP, List.of());

    private final Whims whims;
    private final Sleeper sleeper;
    private final LongConsumer hang;
    private final Consumer<Pod> heldUp;
    private final TreeContext context;
    private final Reserved reserved;

    private WhimsicalPlugin(
            Whims whims,
            Sleeper sleeper,
            LongConsumer hang,
            Consumer<Pod> heldUp,
            TreeContext context,
            Reserved reserved) {
        this.whims = whims;
        this.sleeper = sleeper;
        this.hang = hang;
        this.heldUp = heldUp;
        this.context = context;
        this.reserved = reserved;
    }

    /**
     * The plugin of one process.
     *
     * @param hang stops the whole process for so many nanoseconds
     * @param heldUp hears of pods that are held up
     * @param reserved is to hold what it reserves
     */
    public static PluginFactory factory(
            Whims whims, Sleeper sleeper, LongConsumer hang, Consumer<Pod> heldUp, Reserved reserved) {
        return TreeContext.factory(
                NAME,
                WhimsicalPlugin.class,
                context -> new WhimsicalPlugin(whims, sleeper, hang, heldUp, context, reserved));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on(
                (_, _) -> {
                    whims.mayThrow(Point.WAKE_UP);
                    return true;
                },
                ChangeKind.NODE_ADDED,
                ChangeKind.NODE_LABELS,
                ChangeKind.OWN_LABELS));
    }

    @Override
    public Status preEnqueue(Pod pod) {
        return whims.verdict(Point.PRE_ENQUEUE);
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        Status verdict = whims.verdict(Point.PRE_FILTER);
        return verdict.isSuccess() ? PreFilterResult.PROCEED : new PreFilterResult.Rejected(verdict);
    }

    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        return whims.verdict(Point.FILTER);
    }

    @Override
    public PostFilterPlugin.Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
        context.cluster().placedPods().stream().findFirst().ifPresent(trial.whatIf()::remove);
        whims.mayThrow(Point.POST_FILTER);
        return new PostFilterPlugin.Result(Status.unschedulable("cannot help"), Optional.of(""));
    }

    @Override
    public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
        return whims.verdict(Point.PRE_SCORE);
    }

    @Override
    public long score(CycleState state, PendingPod pod, NodeInfo node) {
        whims.mayThrow(Point.SCORE);
        return 0;
    }

    @Override
    public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
        reserved.put(pod.pod(), node.name());
        return whims.verdict(Point.RESERVE);
    }

    @Override
    public void unreserve(CycleState state, PendingPod pod, String nodeName) {
        reserved.remove(pod.pod(), nodeName);
        whims.mayThrow(Point.UNRESERVE);
    }

    /** Delays some, and decides about some that it has delayed before. */
    @Override
    public PermitPlugin.Result permit(CycleState state, PendingPod pod, NodeInfo node) {
        if (!whims.seizes(Point.PERMIT)) {
            return PermitPlugin.Result.ALLOW;
        }
        return switch (whims.way(6)) {
            case 0, 4, 5 -> {
                heldUp.accept(pod.pod());
                yield new PermitPlugin.Result(
                        new Status(Status.Code.WAIT, List.of()), Duration.ofNanos(5 * whims.nanos()));
            }
            case 1 -> {
                context.waitingPods().all().forEach(this::decide);
                yield PermitPlugin.Result.ALLOW;
            }
            case 2 -> new PermitPlugin.Result(Status.unschedulable("no permit"), Duration.ZERO);
            default -> throw new IllegalStateException("a whim");
        };
    }

    private void decide(WaitingPod waiting) {
        switch (whims.way(4)) {
            case 0 -> waiting.allow(NAME);
            case 1 -> waiting.reject(NAME, "not any more");
            case 2 -> waiting.preempt(NAME, "others need it more");
            default -> {}
        }
    }

    @Override
    public Status preBindPreFlight(CycleState state, PendingPod pod, String nodeName) {
        whims.mayThrow(Point.PRE_FLIGHT);
        return Status.SUCCESS;
    }

    @Override
    public Status preBind(CycleState state, PendingPod pod, String nodeName) {
        if (whims.seizes(Point.PRE_BIND)) {
            if (whims.way(2) == 0) {
                return whims.verdict(Point.PRE_BIND);
            }
            heldUp.accept(pod.pod());
            return dawdle(whims.nanos(), Status.SUCCESS);
        }
        return Status.SUCCESS;
    }

    /** Leaves it to the next, but takes its time before that, in which the lease may run out. */
    @Override
    public Status bind(CycleState state, PendingPod pod, String nodeName) {
        if (!whims.seizes(Point.BIND)) {
            return SKIP;
        }
        return switch (whims.way(4)) {
            case 0 -> whims.verdict(Point.BIND);
            case 1 -> {
                heldUp.accept(pod.pod());
                yield dawdle(2 * whims.nanos(), SKIP);
            }
            default -> {
                hang.accept(5 * whims.nanos());
                yield dawdle(1, SKIP);
            }
        };
    }

    private Status dawdle(long nanos, Status afterwards) {
        try {
            sleeper.sleep(nanos);
            return afterwards;
        } catch (InterruptedException hurry) {
            return Status.error("interrupted");
        }
    }

    @Override
    public void postBind(CycleState state, PendingPod pod, String nodeName) {
        whims.mayThrow(Point.POST_BIND);
    }
}
