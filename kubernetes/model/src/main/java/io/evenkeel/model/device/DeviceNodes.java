package io.evenkeel.model.device;

import io.evenkeel.model.constraint.NodeSelector;
import java.util.Optional;

/**
 * The nodes on which devices can be used: one, those that a selector matches, or all.
 *
 * @param name empty where it is not one node
 */
public record DeviceNodes(String name, Optional<NodeSelector> selector, boolean all) {
    /** Said of each device instead, or not at all. */
    public static final DeviceNodes NONE = new DeviceNodes("", Optional.empty(), false);
}
