package io.evenkeel.framework;

/** How many pods of a group there are. */
public interface GroupMembers {
    GroupMembers NONE = _ -> 0;

    /** Those that wait for one of our profiles, and those in place, each once. */
    int known(GroupKey group);
}
