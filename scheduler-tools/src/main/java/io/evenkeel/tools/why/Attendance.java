package io.evenkeel.tools.why;

/** Knowledge of the schedulers at work in a cluster, asked for by a name. */
public sealed interface Attendance {
    /** One that answers to the name is at work. */
    record AtWork() implements Attendance {}

    /** Schedulers of other names are at work; whether one of them answers to this name too is open. */
    record Others() implements Attendance {}

    /** None is at work at all. */
    record NoneAtWork(String why) implements Attendance {}

    /**
     * It is not known.
     *
     * @param remark what is to be said of that beside an answer; empty for nothing
     */
    record Unknown(String remark) implements Attendance {}

    /** No lease was looked at. */
    Attendance UNKNOWN = new Unknown("");
}
