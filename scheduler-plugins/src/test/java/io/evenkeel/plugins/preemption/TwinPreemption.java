package io.evenkeel.plugins.preemption;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.Trial;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Asks the plugin and its naive twin, each about the same pod at the same moment. */
final class TwinPreemption implements PostFilterPlugin {
    private final ClusterView cluster;
    private final DefaultPreemption plugin;
    private final NaivePreemption twin;
    final ReferencePods order = new ReferencePods();
    final List<Pod> nominated = new ArrayList<>();
    final List<String> differences = new ArrayList<>();
    int answers;
    int preemptions;

    private TwinPreemption(TreeContext context) {
        cluster = context.cluster();
        plugin = new DefaultPreemption(context);
        twin = new NaivePreemption(cluster, order);
    }

    /** One that is made for each profile, and handed out here too. */
    static PluginFactory factory(List<TwinPreemption> made) {
        return TreeContext.factory(DefaultPreemption.NAME, TwinPreemption.class, context -> {
            made.add(new TwinPreemption(context));
            return made.getLast();
        });
    }

    @Override
    public String name() {
        return DefaultPreemption.NAME;
    }

    @Override
    public Result postFilter(CycleState state, PendingPod waiting, NodeStatuses statuses, Trial trial) {
        PodInfo pod = PodInfo.of(waiting);
        Diagnosis diagnosis = (Diagnosis) statuses;
        BatchTrial nominating = new NominatingTrial(BatchTrial.of(trial), cluster, pod.pod(), nominated);
        try {
            return bothAnswers(state, pod, diagnosis, nominating);
        } catch (RuntimeException thrown) {
            differences.add(pod.pod().key() + ": " + thrown);
            throw thrown;
        }
    }

    private Result bothAnswers(CycleState state, PodInfo pod, Diagnosis diagnosis, BatchTrial trial) {
        Result expected = twin.postFilter(pod, diagnosis, trial);
        Result answer = plugin.postFilter(state, pod, diagnosis, trial);
        answers++;
        preemptions += answer.victims().isEmpty() ? 0 : 1;
        if (!answer.objectedToBy(Set.of()).equals(expected)) {
            differences.add(pod.pod().key() + ": expected " + text(expected) + ", got " + text(answer));
        }
        return answer;
    }

    private static String text(Result result) {
        return result.status() + " on " + result.nominatedNode() + " "
                + result.victims().stream().map(Pod::key).toList();
    }
}
