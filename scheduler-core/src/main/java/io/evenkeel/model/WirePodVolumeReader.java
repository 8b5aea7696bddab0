package io.evenkeel.model;

import io.evenkeel.model.PodVolume.Source;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what counts of a pod's volumes, in two steps as {@link WirePodSpecReader} does. The claims that they name differ
 * from pod to pod of a StatefulSet, and are left out; so is all of a token's volume, whose own name differs.
 */
final class WirePodVolumeReader {
    private static final int VOLUMES = 1;
    private static final int NAME = 1;
    private static final int SOURCE = 2;
    private static final int IMAGE = 30;

    private static final Map<Integer, Source> SOURCES = Map.ofEntries(
            Map.entry(3, Source.GCE_PERSISTENT_DISK),
            Map.entry(4, Source.AWS_ELASTIC_BLOCK_STORE),
            Map.entry(8, Source.ISCSI),
            Map.entry(10, Source.PERSISTENT_VOLUME_CLAIM),
            Map.entry(11, Source.RBD),
            Map.entry(13, Source.CINDER),
            Map.entry(18, Source.AZURE_FILE),
            Map.entry(20, Source.VSPHERE_VOLUME),
            Map.entry(22, Source.AZURE_DISK),
            Map.entry(24, Source.PORTWORX_VOLUME),
            Map.entry(29, Source.EPHEMERAL));

    private final WireValues values;

    WirePodVolumeReader(WireValues values) {
        this.values = values;
    }

    /** Adds the volume without what is not read of it: nothing but its name, which source it has, and images. */
    void project(WireCursor volume, WireProjection projection) {
        int begun = projection.begin(VOLUMES);
        boolean counts = false;
        WireCursor parts = volume.message();
        while (parts.next()) {
            if (parts.field() == SOURCE) {
                WireCursor source = parts.message();
                while (source.next()) {
                    if (source.field() == IMAGE) {
                        source.copyTo(projection);
                    } else if (SOURCES.containsKey(source.field())) {
                        projection.end(projection.begin(source.field()));
                        counts = true;
                    }
                }
            }
        }
        if (counts) {
            projectName(volume, projection);
        }
        projection.end(begun);
    }

    /** Adds the name of a volume or a claim. */
    private static void projectName(WireCursor named, WireProjection projection) {
        WireCursor parts = named.message();
        while (parts.next()) {
            if (parts.field() == NAME) {
                parts.copyTo(projection);
            }
        }
    }

    /** Adds a claim to devices without what it stands for. */
    void projectClaim(WireCursor claim, WireProjection projection) {
        int begun = projection.begin(claim.field());
        projectName(claim, projection);
        projection.end(begun);
    }

    /** Reads a volume as it was projected. */
    void read(WireCursor in, PodBuilder pod) {
        String name = "";
        Optional<Source> found = Optional.empty();
        while (in.next()) {
            switch (in.field()) {
                case NAME -> name = values.string(in);
                case IMAGE -> readImage(in.message(), pod);
                default -> found = Source.either(found, Optional.ofNullable(SOURCES.get(in.field())));
            }
        }
        if (found.isPresent()) {
            pod.volume(name, found.get());
        }
    }

    private void readImage(WireCursor in, PodBuilder pod) {
        while (in.next()) {
            if (in.field() == 1 && !in.isEmpty()) {
                pod.imageVolume(values.string(in));
            }
        }
    }
}
