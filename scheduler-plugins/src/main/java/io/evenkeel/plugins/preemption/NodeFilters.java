package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A profile's filters, asked about a pod on one node after the other, as pods of that node leave and come back. */
sealed interface NodeFilters permits FollowedFilters, NodeFilters.HypotheticalFilters {

    /** With all pods that are on the node. */
    void begin(int node);

    /** The pod leaves that had this row when the node was begun. */
    void remove(int row);

    void putBack(int row);

    Status verdict();

    /** Which filter the last verdict was from, in their order. */
    int position();

    /** The plugin that the last verdict was from, if that turned the pod away. */
    String plugin();

    /** All pods are on the node again. */
    void end();

    /** Takes the pods off the cluster and asks the filters themselves: right whatever they look at, and slow. */
    final class HypotheticalFilters implements NodeFilters {
        private final ClusterView cluster;
        private final BatchTrial trial;
        /** The pods that have left at least once, by the row that they had before. */
        private final Map<Integer, Pod> pods = new HashMap<>();

        private @Nullable WhatIf whatIf;
        private int node;

        HypotheticalFilters(ClusterView cluster, BatchTrial trial) {
            this.cluster = cluster;
            this.trial = trial;
        }

        @Override
        public void begin(int begun) {
            node = begun;
            pods.clear();
            whatIf = trial.whatIf();
        }

        @Override
        public void remove(int row) {
            underway().remove(pods.computeIfAbsent(row, cluster.pods()::pod));
        }

        @Override
        public void putBack(int row) {
            underway().place(Objects.requireNonNull(pods.get(row)), node);
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
        public String plugin() {
            return trial.objector();
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
}
