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

    private static final String AWS_SCHEME = "aws://";

    /** Such as {@code aws://eu-west-1a/vol-0123}; most have the bare identifier, which is taken as it is. */
    private static final Pattern AWS_URL = Pattern.compile(AWS_SCHEME + "[^/]*/+(vol-[^/]*)/*");

    /** Such as {@code europe-west1-b}; the first two parts are the region. */
    private static final Pattern GCE_ZONE = Pattern.compile("([^-]*-[^-]*)-[^-]*");

    private DiskZones() {}

    /** Returns the zone that the volume's labels name; empty where they name none. */
    static String of(PersistentVolume volume) {
        String beta = volume.meta().labels().getOrDefault(BETA_ZONE, "");
        return beta.isEmpty() ? volume.meta().labels().getOrDefault(ZONE, "") : beta;
    }

    /** Empty where it is written as a URL, and none of a disk. */
    static Optional<String> awsHandle(String id) {
        if (!id.startsWith(AWS_SCHEME)) {
            return Optional.of(id);
        }
        Matcher url = AWS_URL.matcher(id);
        return url.matches() ? Optional.of(url.group(1)) : Optional.empty();
    }

    /** Empty where there are several zones, and these are of several regions, or one of them is none. */
    static Optional<String> gceHandle(String disk, String zones) {
        if (disk.isEmpty()) {
            return Optional.empty();
        }
        if (!zones.contains(BETWEEN_ZONES)) {
            return Optional.of(handle("zones", zones.isEmpty() ? UNKNOWN : zones, disk));
        }
        Set<String> regions = new LinkedHashSet<>();
        for (String zone : zones.split(BETWEEN_ZONES, -1)) {
            Matcher parts = GCE_ZONE.matcher(zone);
            if (!parts.matches()) {
                return Optional.empty();
            }
            regions.add(parts.group(1));
        }
        return regions.size() == 1
                ? Optional.of(handle("regions", regions.iterator().next(), disk))
                : Optional.empty();
    }

    private static String handle(String where, String place, String disk) {
        return "projects/" + UNKNOWN + "/" + where + "/" + place + "/disks/" + disk;
    }
}
