package io.evenkeel.config;

import static io.evenkeel.config.CompatibilityLevel.V1_37;
import static io.evenkeel.config.CompatibilityLevel.V1_38;

/**
 * What kube-scheduler answers otherwise from a release on, and no feature gate says so: mostly a repair. Who answers is told by
 * {@link FeatureGates#has} once, when a profile is built.
 */
public enum Difference {
    /** Image volumes raise what images are worth at most, as containers do. */
    IMAGE_VOLUMES_COUNT(V1_37, 138951, "ImageLocality", "an image volume raises the most that images can be worth"),
    /** A pod for which others go is told who: {@code preemption: found a potential placement …}. */
    PREEMPTION_IS_TOLD(V1_37, 140180, "DefaultPreemption", "the pod's condition and event say where others go for it"),
    /** What has nothing to free says nothing. */
    NO_CLAIMS_NO_WORDS(V1_37, 140222, "DynamicResources", "what cannot free devices for a pod says nothing of that"),
    /** Of a resize in place the sums over the whole pod count, and no longer the most of each container. */
    RESIZED_AS_A_WHOLE(
            V1_37,
            140047,
            "pods in place",
            "a resize counts as the most of the pod's sums: of what it asks for, is given and has"),
    /** Room is left for a nominated pod too while a gate holds it. */
    GATED_PODS_KEEP_ROOM(
            V1_37,
            139057,
            "scheduling queue",
            "a pod that is gated keeps its room on the node that it is nominated to"),
    /** A binding that fails for a moment only is asked for again, before the attempt has failed. */
    BINDINGS_ARE_RETRIED(
            V1_37,
            138855,
            "bindings",
            "one that the server fails at, or nobody hears, is asked for up to three times again"),
    /** Claims that are made are counted by another name, and whose they are. */
    CLAIMS_MADE_BY_OWNER(
            V1_37, 138542, "metrics", "claims for extended resources are counted by another name, with more labels"),
    /** What is queued is counted as pods and groups too. */
    QUEUED_ENTITIES_COUNT(V1_37, 139840, "metrics", "the queue is counted by pods and groups, too"),
    /** By the names of events the pod that waits is told apart from others without a node. */
    EVENTS_NAME_THE_POD_ITSELF(
            V1_37,
            135905,
            "metrics",
            "the events of pods without a node are UnscheduledPod…, and TargetPod… where the pod itself changes"),
    /** The help of two metrics says that they are beta. */
    DURATIONS_ARE_BETA(
            V1_37, 138176, "metrics", "how long the algorithm and plugins take is told by metrics that are beta"),
    /** Plugins may be named that are to free room for a whole group. */
    POD_GROUP_POST_FILTER(
            V1_37,
            139674,
            "configuration",
            "the plugins of a profile may have podGroupPostFilter, which changes nothing"),
    /** In a claim's status a configuration stands once, not once for each request that it names. */
    DEVICE_CONFIGURATION_ONCE(
            V1_37,
            139732,
            "DynamicResources",
            "a configuration stands in a claim's status once, however many requests it names"),
    /** There it names no requests where it is for all of them. */
    DEVICE_CONFIGURATION_OF_ALL(
            V1_37,
            139731,
            "DynamicResources",
            "a configuration for all requests names none of them in a claim's status"),
    /** A selector that reads an attribute that is not there is told what to write instead. */
    MISSING_KEY_IS_EXPLAINED(
            V1_37, 136709, "DynamicResources", "a selector of an attribute that is not there is told a way out"),
    /** What a device draws from counters comes back where it is not taken after all. */
    COUNTERS_COME_BACK(
            V1_37,
            140431,
            "DynamicResources",
            "a device that a taint or a constraint keeps away leaves the counters as they were"),
    /** A share without capacity draws from counters once, not again for each claim. */
    SHARES_DRAW_ONCE(
            V1_37,
            140437,
            "DynamicResources",
            "a device that is shared without capacity draws from its counters only once"),
    /** {@code distinctAttribute} tells apart the devices of one request too. */
    DISTINCT_WITHIN_REQUESTS(
            V1_37, 140600, "DynamicResources", "distinctAttribute compares each device with all others of its request"),
    /** Who asks for all devices waits also for those of which too much is in use. */
    ALL_MEANS_USED_ONES_TOO(
            V1_37,
            140769,
            "DynamicResources",
            "who asks for all devices waits until enough is left of each, and does not get the others alone"),
    /** A slice with counters tells only the nodes that it is for of its pool. */
    COUNTERS_HAVE_NODES(
            V1_37,
            138917,
            "DynamicResources",
            "a pool that is incomplete or invalid bothers the nodes alone that its slices with counters are for"),
    /** Who asks for all devices is turned away by a node whose pool is not complete, and is no longer an error everywhere. */
    BAD_POOL_TURNS_AWAY(
            V1_38,
            141898,
            "DynamicResources",
            "a pool that is incomplete or invalid turns away who wants all devices of that node only"),
    /** A device of which somebody has a share is not given away as a whole. */
    SHARED_IS_NOT_DEDICATED(
            V1_38,
            140798,
            "DynamicResources",
            "a device that is not to be shared any more stays with those who have shares of it"),
    /** A DeviceTaintRule without a selector taints nothing, and no longer everything. */
    BARE_TAINT_RULE_TAINTS_NONE(
            V1_38,
            141648,
            "DynamicResources",
            "a DeviceTaintRule without deviceSelector taints no device, and not all"),
    /** Capacity may be asked for by its full name. */
    CAPACITY_BY_FULL_NAME(
            V1_38, 142202, "DynamicResources", "capacity is found by its name with the driver before it, and without"),
    /** {@code labelSelector: {}} of a spread constraint counts the pods of the namespace, and no longer none. */
    EMPTY_SPREAD_SELECTOR_COUNTS(
            V1_38,
            141340,
            "PodTopologySpread",
            "an empty labelSelector counts all pods of the namespace, and not none"),
    /** Extenders are also asked where by the filters nobody has to go: they may know who has what the pod lacks. */
    EXTENDERS_NAME_VICTIMS(
            V1_38,
            135486,
            "DefaultPreemption",
            "extenders may name who goes from a node that only an extender keeps the pod off"),
    /** {@code selector: {}} of a PodDisruptionBudget protects the pods of its namespace, and any may protect pods without labels. */
    EMPTY_BUDGET_SELECTOR_PROTECTS(
            V1_38,
            141785,
            "DefaultPreemption",
            "an empty selector of a PodDisruptionBudget protects all pods of its namespace");

    private final CompatibilityLevel since;
    private final int pullRequest;
    private final String part;
    private final String change;

    Difference(CompatibilityLevel since, int pullRequest, String part, String change) {
        this.since = since;
        this.pullRequest = pullRequest;
        this.part = part;
        this.change = change;
    }

    public CompatibilityLevel since() {
        return since;
    }

    /** The number of the change in kubernetes/kubernetes. */
    public int pullRequest() {
        return pullRequest;
    }

    /** The plugin, or what else answers otherwise. */
    public String part() {
        return part;
    }

    /** The newer answer, in a sentence. */
    public String change() {
        return change;
    }
}
