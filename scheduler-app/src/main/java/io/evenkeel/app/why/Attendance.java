package io.evenkeel.app.why;

/** What is known of the schedulers that are at work in a cluster, of one that answers to a name. */
public sealed interface Attendance {
    /** One that answers to the name is at work. */
    record AtWork() implements Attendance {}

    /** Those that are known to be at work go by other names, which does not say by which else. */
    record Others() implements Attendance {}

    /** None is at work at all. */
    record NoneAtWork(String why) implements Attendance {}

    /**
     * It is not known.
     *
     * @param remark what is to be said of that beside an answer; empty for nothing
     */
    record Unknown(String remark) implements Attendance {}

    /** Nobody has looked. */
    Attendance UNKNOWN = new Unknown("");
}
