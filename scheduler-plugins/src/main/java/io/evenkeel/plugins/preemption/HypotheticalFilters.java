package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.WhatIf;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Trial;
import io.evenkeel.model.Pod;
import org.jspecify.annotations.Nullable;

/** Takes the pods off the cluster and asks the filters themselves: right whatever they look at, and slow. */
final class HypotheticalFilters implements NodeFilters {
    private final Trial trial;
    private @Nullable WhatIf whatIf;
    private int node;

    HypotheticalFilters(Trial trial) {
        this.trial = trial;
    }

    @Override
    public void begin(int begun) {
        node = begun;
        whatIf = trial.whatIf();
    }

    @Override
    public void remove(int row, Pod pod) {
        underway().remove(pod);
    }

    @Override
    public void putBack(int row, Pod pod) {
        underway().place(pod, node);
    }

    @Override
    public Status verdict() {
        return trial.verdictOn(node);
    }

    /** The verdict is that of all filters together. */
    @Override
    public int position() {
        return 0;
    }

    @Override
    public void end() {
        underway().close();
        whatIf = null;
    }

    private WhatIf underway() {
        if (whatIf == null) {
            throw new IllegalStateException("no node was begun");
        }
        return whatIf;
    }
}
