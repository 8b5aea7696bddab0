package io.evenkeel.model;

/** What a taint does to pods that do not tolerate it. */
public enum TaintEffect {
    NO_SCHEDULE("NoSchedule"),
    PREFER_NO_SCHEDULE("PreferNoSchedule"),
    NO_EXECUTE("NoExecute");

    private final String wireName;

    TaintEffect(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** NoSchedule and NoExecute keep pods away; PreferNoSchedule only costs score. */
    public boolean keepsPodsAway() {
        return this != PREFER_NO_SCHEDULE;
    }
}
