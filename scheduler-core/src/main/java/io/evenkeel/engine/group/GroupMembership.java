package io.evenkeel.engine.group;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.model.GroupObject;
import java.util.Optional;

/**
 * The group that a pod is in, and its terms as they are now.
 *
 * @param plugin that says so
 */
public record GroupMembership(GroupKey group, GroupTerms terms, String plugin) {

    public Optional<GroupObject> object() {
        return terms.object();
    }

    /** What is said of each pod of a group that waits for this reason. */
    public String waits(String why) {
        return group + " waits: " + why;
    }
}
