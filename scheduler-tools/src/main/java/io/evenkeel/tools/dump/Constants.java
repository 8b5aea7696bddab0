package io.evenkeel.tools.dump;

import io.evenkeel.config.Profile;
import io.evenkeel.model.HostPort;
import io.evenkeel.plugins.node.NodeDeclaredFeatures;
import java.util.Map;
import java.util.Set;

/**
 * Kubernetes' own words in fields that could hold others as well, by the fields' names. Words of fields that can
 * hold no others are in the tables of the kinds.
 */
final class Constants {
    private static final Set<String> OWNERS_AND_DISKS = Set.of(
            "Deployment",
            "ReplicaSet",
            "ReplicationController",
            "StatefulSet",
            "DaemonSet",
            "Job",
            "CronJob",
            "Node",
            "Pod",
            "PodGroup",
            "PersistentVolumeClaim",
            "Managed",
            "Separately",
            "Dedicated",
            "Shared");

    private static final Set<String> CONDITIONS = Set.of(
            "PodScheduled",
            "PodReadyToStartContainers",
            "ContainersReady",
            "Initialized",
            "Ready",
            "DisruptionTarget",
            "MemoryPressure",
            "DiskPressure",
            "PIDPressure",
            "NetworkUnavailable",
            "PodResizePending",
            "PodResizeInProgress",
            "PodGroupInitiallyScheduled",
            "evenkeel.io/Degraded");

    private static final Set<String> REASONS = Set.of(
            "Unschedulable",
            "SchedulingGated",
            "SchedulerError",
            "Scheduled",
            "PreemptionByScheduler",
            "DeletionByTaintManager",
            "EvictionByEvictionAPI",
            "DeletionByPodGC",
            "TerminationByKubelet",
            "Infeasible",
            "Deferred");

    /** Of pods, namespaces, volumes and claims. */
    private static final Set<String> PHASES = Set.of(
            "Pending",
            "Running",
            "Succeeded",
            "Failed",
            "Unknown",
            "Active",
            "Terminating",
            "Available",
            "Bound",
            "Released",
            "Lost");

    private static final Map<String, Set<String>> BY_FIELD = Map.ofEntries(
            Map.entry("kind", OWNERS_AND_DISKS),
            Map.entry("type", CONDITIONS),
            Map.entry("reason", REASONS),
            Map.entry("phase", PHASES),
            Map.entry("status", Set.of("True", "False", "Unknown")),
            Map.entry("protocol", Set.of("TCP", "UDP", "SCTP")),
            Map.entry("accessModes", Set.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")),
            Map.entry("volumeMode", Set.of("Filesystem", "Block")),
            Map.entry("restartPolicy", Set.of("Always", "OnFailure", "Never")),
            Map.entry("action", Set.of("Restart", "RestartAllContainers")),
            Map.entry("hostIP", Set.of(HostPort.EVERY_ADDRESS, "127.0.0.1", "::", "::1")),
            Map.entry("schedulerName", Set.of(Profile.DEFAULT_SCHEDULER_NAME, Profile.OWN_NAME)),
            Map.entry("declaredFeatures", NodeDeclaredFeatures.FEATURES));

    private Constants() {}

    static boolean areOf(String field, String word) {
        return BY_FIELD.getOrDefault(field, Set.of()).contains(word);
    }
}
