package io.evenkeel.plugins.volumes;

import java.util.List;

/**
 * The things a pod wants that others may have.
 *
 * @param claimsInUse keys of claims for one pod that another has, once for each volume of them
 */
record Wanted(List<Disk.Use> disks, List<String> claimsInUse) {
    boolean isFree() {
        return disks.isEmpty() && claimsInUse.isEmpty();
    }
}
