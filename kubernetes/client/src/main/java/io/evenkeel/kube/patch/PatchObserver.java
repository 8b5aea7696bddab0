package io.evenkeel.kube.patch;

/** Is told how patches ended, each at most once, by the thread that sends them. A replaced patch has no end. */
@FunctionalInterface
public interface PatchObserver {
    PatchObserver NONE = (patch, end, why) -> {};

    /** How a patch ends. */
    enum End {
        WRITTEN,
        /** Of another version than the object has by now. */
        OVERTAKEN,
        /** The object is there no longer. */
        GONE,
        /** The server does not take it, and would not if it were sent again. */
        REFUSED,
        /** Nothing is written by this scheduler: it has said what it would. */
        NOT_SENT
    }

    /**
     * A patch has ended.
     *
     * @param why as the server says; empty where it was written
     */
    void ended(MergePatch patch, End end, String why);
}
