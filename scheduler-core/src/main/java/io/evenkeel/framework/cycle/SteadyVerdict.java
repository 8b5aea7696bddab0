package io.evenkeel.framework.cycle;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import java.util.function.IntFunction;

/** The dry run of a filter that does not look at the pods of a node. */
final class SteadyVerdict implements FilterDryRun {
    private final boolean isLocal;
    private final IntFunction<Status> verdictOn;
    private Status verdict = Status.SUCCESS;

    SteadyVerdict(boolean isLocal, IntFunction<Status> verdictOn) {
        this.isLocal = isLocal;
        this.verdictOn = verdictOn;
    }

    @Override
    public boolean isLocal() {
        return isLocal;
    }

    @Override
    public boolean begin(int node) {
        verdict = verdictOn.apply(node);
        return false;
    }

    @Override
    public void count(int row, int more) {}

    @Override
    public boolean addNominated(PodInfo pod) {
        return true;
    }

    @Override
    public Status verdict() {
        return verdict;
    }
}
