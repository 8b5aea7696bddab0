package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Asks a profile's PostFilter plugins, in order, what can be done for a pod that fits nowhere. */
public final class PostFilterRunner {
    private final List<PostFilterPlugin> plugins;
    private final PluginCalls calls;
    private final Stopwatch stopwatch;
    private String settledBy = "";

    PostFilterRunner(List<PostFilterPlugin> plugins, PluginCalls calls, ProfileObserver observer) {
        this.plugins = plugins;
        this.calls = calls;
        this.stopwatch = observer.at(MeasuredPoint.POST_FILTER, plugins);
    }

    public boolean isEmpty() {
        return plugins.isEmpty();
    }

    /** Whether none of them can help a pod but by letting others go. */
    public boolean onlyPreempt() {
        for (PostFilterPlugin plugin : plugins) {
            if (!plugin.onlyPreempts()) {
                return false;
            }
        }
        return true;
    }

    /**
     * The first answer that settles it: Success, unresolvable or an error. Where there is none, the reasons of all, and of
     * the nominations the last.
     */
    public PostFilterPlugin.Result run(CycleState state, PodInfo pod, Diagnosis diagnosis, BatchTrial trial) {
        long began = stopwatch.start();
        settledBy = "";
        PostFilterPlugin.Result result = ask(state, pod, diagnosis, trial, began);
        if (result.candidates().isEmpty()) {
            stopwatch.stop(result.status().code(), began);
        }
        return result;
    }

    /** The plugin that settled the last run; empty where none did. */
    public String settledBy() {
        return settledBy;
    }

    private PostFilterPlugin.Result ask(
            CycleState state, PodInfo pod, Diagnosis diagnosis, BatchTrial trial, long began) {
        long at = began;
        List<String> reasons = new ArrayList<>();
        Set<String> objecting = new TreeSet<>();
        Optional<String> nominatedNode = Optional.empty();
        List<ObjectPatch> writes = new ArrayList<>();
        for (int i = 0; i < plugins.size(); i++) {
            PostFilterPlugin.Result result = ask(plugins.get(i), state, pod, diagnosis, trial);
            Status status = result.status();
            at = stopwatch.lap(i, status.code(), at);
            writes.addAll(result.writes());
            if (status.isSuccess() || status.code() == Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE) {
                settledBy = plugins.get(i).name();
                return result.writing(writes);
            }
            if (!status.isRejected()) {
                return PostFilterPlugin.Result.none(Status.error(status.message()))
                        .writing(writes);
            }
            reasons.addAll(status.reasons());
            objecting.addAll(result.objecting());
            nominatedNode = result.nominatedNode().isPresent() ? result.nominatedNode() : nominatedNode;
        }
        return new PostFilterPlugin.Result(new Status(Status.Code.UNSCHEDULABLE, List.copyOf(reasons)), nominatedNode)
                .objectedToBy(Set.copyOf(objecting))
                .writing(writes);
    }

    /** A plugin that fails cannot help; what failed is told where faults are, and to the pod's user. */
    private PostFilterPlugin.Result ask(
            PostFilterPlugin plugin, CycleState state, PodInfo pod, Diagnosis diagnosis, BatchTrial trial) {
        try {
            PostFilterPlugin.Result result = plugin.postFilter(state, pod, diagnosis, trial);
            Status status = result.status();
            if (!status.isSuccess() && !status.isRejected()) {
                calls.faulted(pod.pod(), new PluginFailure(plugin.name(), "PostFilter", status.message()));
            }
            return result;
        } catch (Throwable thrown) {
            PluginFailure failure = PluginFailure.of(plugin, "PostFilter", thrown);
            calls.faulted(pod.pod(), failure);
            return PostFilterPlugin.Result.none(Status.error(failure));
        }
    }
}
