package io.evenkeel.app.demo;

import io.evenkeel.model.LabelSelector;
import io.evenkeel.model.Labels;
import io.evenkeel.model.TopologySpreadConstraint;
import io.evenkeel.model.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.TopologySpreadConstraint.WhenUnsatisfiable;
import java.util.List;

/** Builds spread constraints as a pod template would have them. */
final class SpreadBuilder {
    private final String topologyKey;
    private final int maxSkew;
    private WhenUnsatisfiable whenUnsatisfiable = WhenUnsatisfiable.DO_NOT_SCHEDULE;
    private int minDomains = 1;
    private NodeInclusionPolicy nodeTaintsPolicy = NodeInclusionPolicy.IGNORE;
    private List<String> matchLabelKeys = List.of();

    private SpreadBuilder(String topologyKey, int maxSkew) {
        this.topologyKey = topologyKey;
        this.maxSkew = maxSkew;
    }

    static SpreadBuilder overZones(int maxSkew) {
        return new SpreadBuilder(DemoObjects.ZONE, maxSkew);
    }

    static SpreadBuilder overNodes(int maxSkew) {
        return new SpreadBuilder(DemoObjects.HOSTNAME, maxSkew);
    }

    SpreadBuilder orScheduleAnyway() {
        whenUnsatisfiable = WhenUnsatisfiable.SCHEDULE_ANYWAY;
        return this;
    }

    SpreadBuilder minDomains(int number) {
        minDomains = number;
        return this;
    }

    SpreadBuilder nodeTaintsPolicy(NodeInclusionPolicy policy) {
        nodeTaintsPolicy = policy;
        return this;
    }

    SpreadBuilder matchLabelKeys(String... keys) {
        matchLabelKeys = List.of(keys);
        return this;
    }

    /** The constraint on the pods of an app. */
    TopologySpreadConstraint ofApp(String app) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                whenUnsatisfiable,
                LabelSelector.matchingLabels(Labels.of(DemoObjects.APP, app)),
                minDomains,
                NodeInclusionPolicy.HONOR,
                nodeTaintsPolicy,
                matchLabelKeys);
    }
}
