package io.evenkeel.framework;

import io.evenkeel.model.Pod;
import io.evenkeel.model.device.ResourceClaim;
import java.util.List;

/** Says which devices a pod has: a part that a plugin may have which allocates some. */
public interface ClaimingPlugin {

    /**
     * Returns the pod's claims, with the devices that they have, or have by a decision, or would have on this node; none where one is
     * missing.
     */
    List<ResourceClaim> claimsOf(Pod pod, String node);
}
