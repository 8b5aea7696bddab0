package io.evenkeel.tools.dump;

import io.evenkeel.config.Profile;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.HostPort;
import io.evenkeel.plugins.NodeDeclaredFeatures;
import io.evenkeel.plugins.volumes.DiskZones;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Replaces a text by where it stands: in a field, as a key, or as the value of one.
 *
 * @param numbers in the place of whole numbers
 */
record Replacements(Pseudonyms words, Map<String, String> numbers) {
    /** Fields that name a label, a resource's like or a driver: Kubernetes' own stay. */
    private static final Set<String> KEYS = Set.of(
            "key",
            "topologyKey",
            "topologyKeys",
            "matchLabelKeys",
            "mismatchLabelKeys",
            "provisioner",
            "attacher",
            "driver");

    /** Fields that say where a disk is; the words below stay in them, as volumes of former kinds are understood by these. */
    private static final Set<String> DISKS = Set.of("volumeHandle", "volumeID", "pdName", "diskName", "diskURI");

    private static final Set<String> WORDS_OF_DISKS =
            Set.of("aws", "vol", "projects", "zones", "regions", "disks", "UNSPECIFIED");

    /** Fields with names of images; the usual tag below is that of images without one. */
    private static final Set<String> IMAGES = Set.of("image", "names");

    private static final String USUAL_TAG = ":latest";

    String text(String field, String text) {
        if (Constants.areOf(field, text)) {
            return text;
        }
        return switch (field) {
            case "message" -> "";
            case "apiVersion" -> WellKnown.isOfKubernetes(text) ? text : words.of(text);
            case "resourceVersion" -> text.matches("[0-9]*") ? text : words.of(text);
            case "schedulerName" -> words.of(text);
            case "namespace", "namespaces" -> namespace(text);
            case "priorityClassName" -> priorityClass(text);
            default -> otherText(field, text);
        };
    }

    private String otherText(String field, String text) {
        if (KEYS.contains(field)) {
            return key(text);
        }
        if (DISKS.contains(field)) {
            return words.ofAllBut(WORDS_OF_DISKS, text);
        }
        if (IMAGES.contains(field) && text.endsWith(USUAL_TAG)) {
            return name(text.substring(0, text.length() - USUAL_TAG.length())) + USUAL_TAG;
        }
        return name(text);
    }

    String namespace(String name) {
        return WellKnown.isNamespace(name) ? name : name(name);
    }

    String priorityClass(String name) {
        return WellKnown.isPriorityClass(name) ? name : name(name);
    }

    String name(String name) {
        if (WellKnown.isDriver(name)) {
            return name;
        }
        String number = numbers.get(name);
        return number == null ? words.of(name) : number;
    }

    /** Keeps of an unknown key the part that it is read by. */
    String key(String key) {
        if (WellKnown.isKey(key)) {
            return key;
        }
        WellKnown.Part known = WellKnown.partOf(key);
        return words.of(key.substring(0, known.begin()))
                + key.substring(known.begin(), known.end())
                + words.of(key.substring(known.end()));
    }

    /** Of some keys a value is a choice of known words, or a list; all others are names. */
    String valueOf(String key, String value) {
        if (WellKnown.isValue(key, value)) {
            return value;
        }
        return switch (key) {
            case Annotations.MIGRATED_PLUGINS ->
                Arrays.stream(value.split(",", -1)).map(this::key).collect(Collectors.joining(","));
            case WellKnown.NAME_OF_NAMESPACE -> namespace(value);
            case DiskZones.ZONE, DiskZones.REGION, DiskZones.BETA_ZONE, DiskZones.BETA_REGION ->
                Arrays.stream(value.split(DiskZones.BETWEEN_ZONES, -1))
                        .map(this::name)
                        .collect(Collectors.joining(DiskZones.BETWEEN_ZONES));
            default -> name(value);
        };
    }

    /**
     * Kubernetes' own words in fields that could hold others as well, by the fields' names. Words of fields that can
     * hold no others are in the tables of the kinds.
     */
    static final class Constants {
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
}
