package io.evenkeel.engine.group.turn;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupTerms;

/**
 * The group that a pod is in, and its terms as they are now.
 *
 * @param plugin that says so
 */
public record GroupMembership(GroupKey group, GroupTerms terms, String plugin) {}
