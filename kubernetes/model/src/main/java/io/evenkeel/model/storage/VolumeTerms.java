package io.evenkeel.model.storage;

import java.util.Set;

/**
 * The terms that a claim and a volume have to agree in, the size apart.
 *
 * @param storageClass empty for none
 * @param accessModes such as ReadWriteOnce
 * @param mode Filesystem or Block
 * @param attributesClass empty for none
 */
public record VolumeTerms(String storageClass, Set<String> accessModes, String mode, String attributesClass) {
    public static final String READ_WRITE_ONCE_POD = "ReadWriteOncePod";

    /** The mode where none is written. */
    public static final String FILESYSTEM = "Filesystem";

    public static final VolumeTerms NONE = new VolumeTerms("", Set.of(), FILESYSTEM, "");

    /** Whether a volume of these terms does for a claim of those. */
    public boolean meet(VolumeTerms asked) {
        return storageClass.equals(asked.storageClass)
                && mode.equals(asked.mode)
                && attributesClass.equals(asked.attributesClass)
                && accessModes.containsAll(asked.accessModes);
    }
}
