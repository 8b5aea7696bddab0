package io.evenkeel.config.feature;

/** A behaviour that a gate turns on and off. */
public enum Feature {
    /** Tolerations may compare a taint's value by the operators Lt and Gt; off, such a toleration matches no taint. */
    TAINT_TOLERATION_COMPARISON_OPERATORS("TaintTolerationComparisonOperators"),
    /** Spread constraints count only pods that agree with the newcomer in {@code matchLabelKeys}. */
    MATCH_LABEL_KEYS_IN_POD_TOPOLOGY_SPREAD("MatchLabelKeysInPodTopologySpread"),
    /** Backoffs end by whole seconds, and where no pod is active the next in backoff is taken early. */
    SCHEDULER_POP_FROM_BACKOFF_Q("SchedulerPopFromBackoffQ"),
    /** The status of a pod says which node it will be bound to, where its permit or its PreBind takes time. */
    NOMINATED_NODE_NAME_FOR_EXPECTATION("NominatedNodeNameForExpectation"),
    /** VolumeBinding scores nodes by the room that there is for a pod's volumes. */
    STORAGE_CAPACITY_SCORING("StorageCapacityScoring"),
    /** {@code /flagz} is served. */
    COMPONENT_FLAGZ("ComponentFlagz"),
    /** {@code /statusz} is served. */
    COMPONENT_STATUSZ("ComponentStatusz");

    private final String gate;

    Feature(String gate) {
        this.gate = gate;
    }

    public String gate() {
        return gate;
    }
}
