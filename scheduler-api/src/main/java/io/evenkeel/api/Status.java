package io.evenkeel.api;

import java.util.List;

/**
 * A plugin's verdict, with the reasons that a user gets to read.
 *
 * @since 0.1
 */
public record Status(Code code, List<String> reasons) {

    /** The reference's codes, by its names. */
    public enum Code {
        SUCCESS("Success"),
        ERROR("Error"),
        /** The pod does not fit now; evicting others may help. */
        UNSCHEDULABLE("Unschedulable"),
        /** The pod does not fit, and evicting others does not help. */
        UNSCHEDULABLE_AND_UNRESOLVABLE("UnschedulableAndUnresolvable"),
        WAIT("Wait"),
        SKIP("Skip"),
        /** Rejected, to be tried again without backoff as soon as the plugin's event comes. */
        PENDING("Pending");

        private final String label;

        Code(String label) {
            this.label = label;
        }

        /** As kube-scheduler writes it, in labels of metrics too. */
        public String label() {
            return label;
        }
    }

    public static final Status SUCCESS = new Status(Code.SUCCESS, List.of());
    public static final Status SKIP = new Status(Code.SKIP, List.of());

    public static Status unschedulable(String... reasons) {
        return new Status(Code.UNSCHEDULABLE, List.of(reasons));
    }

    public static Status unresolvable(String... reasons) {
        return new Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, List.of(reasons));
    }

    public static Status error(String reason) {
        return new Status(Code.ERROR, List.of(reason));
    }

    /** Tells of an exception of a plugin: its message, or its class where it has none. */
    public static Status error(RuntimeException fault) {
        return error(fault.getMessage() == null ? fault.getClass().getName() : fault.getMessage());
    }

    /** Whether it says no to the pod: neither yes nor that something is wrong. */
    public boolean isRejected() {
        return code == Code.UNSCHEDULABLE || code == Code.UNSCHEDULABLE_AND_UNRESOLVABLE || code == Code.PENDING;
    }

    public boolean isSuccess() {
        return code == Code.SUCCESS;
    }

    public boolean isSkip() {
        return code == Code.SKIP;
    }

    public boolean isWait() {
        return code == Code.WAIT;
    }

    public String message() {
        return String.join(", ", reasons);
    }
}
