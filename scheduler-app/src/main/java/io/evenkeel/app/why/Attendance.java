package io.evenkeel.app.why;

import java.util.Optional;

/**
 * What is known of the schedulers that are at work in a cluster.
 *
 * @param noneAtWork why it is known that none is; empty where one may be
 * @param remark what is to be said of that beside an answer; empty for nothing
 */
public record Attendance(Optional<String> noneAtWork, Optional<String> remark) {
    /** One may be. */
    public static final Attendance UNKNOWN = new Attendance(Optional.empty(), Optional.empty());
}
