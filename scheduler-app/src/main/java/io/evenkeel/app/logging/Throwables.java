package io.evenkeel.app.logging;

import ch.qos.logback.classic.spi.IThrowableProxy;

/** A failure in one line: the message of each cause that adds to the one before. */
final class Throwables {
    private static final int CAUSES_SHOWN = 4;

    private Throwables() {}

    static String inBrief(IThrowableProxy thrown) {
        StringBuilder brief = new StringBuilder(one(thrown));
        IThrowableProxy cause = thrown.getCause();
        for (int i = 0; cause != null && i < CAUSES_SHOWN; i++) {
            String message = one(cause);
            if (brief.indexOf(message) < 0) {
                brief.append(": ").append(message);
            }
            cause = cause.getCause();
        }
        return brief.toString();
    }

    private static String one(IThrowableProxy thrown) {
        String name = thrown.getClassName().substring(thrown.getClassName().lastIndexOf('.') + 1);
        return thrown.getMessage() == null ? name : name + ": " + thrown.getMessage();
    }
}
