package io.evenkeel.kube.patch;

import java.time.Duration;

/** A taker of patches. Neither blocks nor fails. */
@FunctionalInterface
public interface PatchSink {

    /** Takes the patch in the place of any of the same object that is not sent yet, and returns at once. */
    void put(MergePatch patch);

    /**
     * How fast patches are sent.
     *
     * @param perSecond of all objects together, on average
     * @param betweenSame the least time between two patches of one object
     */
    record Pace(int perSecond, Duration betweenSame) {
        public Pace {
            if (perSecond < 1 || betweenSame.isNegative()) {
                throw new IllegalArgumentException(
                        perSecond + " a second, " + betweenSame + " between two of an object");
            }
        }
    }

    /** Is told how patches ended, each at most once, by the thread that sends them. A replaced patch has no end. */
    @FunctionalInterface
    interface PatchObserver {
        PatchObserver NONE = (patch, end, why) -> {};

        enum End {
            WRITTEN,
            /** Of another version than the object has by now. */
            OVERTAKEN,
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
}
