package io.evenkeel.plugins.volumes;

import io.evenkeel.model.storage.PersistentVolume;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The zones in the labels of volumes, and in the names that clouds have for disks. */
public final class DiskZones {
    public static final String ZONE = "topology.kubernetes.io/zone";
    public static final String REGION = "topology.kubernetes.io/region";
    public static final String BETA_ZONE = "failure-domain.beta.kubernetes.io/zone";
    public static final String BETA_REGION = "failure-domain.beta.kubernetes.io/region";

    /** A volume that is in several zones has them in one label. */
    public static final String BETWEEN_ZONES = "__";

    private static final String UNKNOWN = "UNSPECIFIED";

    /** Such as {@code aws://eu-west-1a/vol-0123}; most have the bare identifier. */
    private static final Pattern AWS_URL = Pattern.compile("aws://[^/]*/*(.*?)/*");

    private DiskZones() {}

    /** What the volume's labels say; empty where they say nothing. */
    static String of(PersistentVolume volume) {
        String beta = volume.meta().labels().getOrDefault(BETA_ZONE, "");
        return beta.isEmpty() ? volume.meta().labels().getOrDefault(ZONE, "") : beta;
    }

    static String withoutZone(String awsId) {
        Matcher url = AWS_URL.matcher(awsId);
        return url.matches() ? url.group(1) : awsId;
    }

    /** Empty where the zones are of several regions, or none. */
    static Optional<String> gceHandle(String disk, String zones) {
        if (disk.isEmpty()) {
            return Optional.empty();
        }
        if (!zones.contains(BETWEEN_ZONES)) {
            return Optional.of(handle("zones", zones.isEmpty() ? UNKNOWN : zones, disk));
        }
        Set<String> regions = new LinkedHashSet<>();
        for (String zone : zones.split(BETWEEN_ZONES, -1)) {
            regions.add(zone.substring(0, Math.max(0, zone.lastIndexOf('-'))));
        }
        return regions.size() == 1
                ? Optional.of(handle("regions", regions.iterator().next(), disk))
                : Optional.empty();
    }

    private static String handle(String where, String place, String disk) {
        return "projects/" + UNKNOWN + "/" + where + "/" + place + "/disks/" + disk;
    }
}
