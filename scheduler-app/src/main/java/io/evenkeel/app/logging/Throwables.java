package io.evenkeel.app.logging;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/** A failure in one line, or with all that led to it. Its messages may be anybody's, so they are {@link OutsideText}. */
final class Throwables {
    private static final int CAUSES_SHOWN = 4;

    private Throwables() {}

    /** The message of each cause that adds to the one before. */
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
        return OutsideText.brief(brief);
    }

    /** The stack of each cause, without what it has in common with the one that it caused. */
    static String stackTrace(IThrowableProxy thrown) {
        StringBuilder text = new StringBuilder(1024);
        append(text, thrown, "", "");
        return text.toString();
    }

    private static void append(StringBuilder text, IThrowableProxy thrown, String indentation, String role) {
        text.append(indentation).append(role);
        if (thrown.isCyclic()) {
            text.append("[CIRCULAR REFERENCE: ").append(headline(thrown)).append("]\n");
            return;
        }
        text.append(headline(thrown)).append('\n');
        StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
        int own = frames.length - thrown.getCommonFrames();
        for (int i = 0; i < own; i++) {
            text.append(indentation)
                    .append("\tat ")
                    .append(OutsideText.oneLine(frames[i].getStackTraceElement().toString()))
                    .append('\n');
        }
        if (thrown.getCommonFrames() > 0) {
            text.append(indentation)
                    .append("\t... ")
                    .append(thrown.getCommonFrames())
                    .append(" common frames omitted\n");
        }
        for (IThrowableProxy suppressed : thrown.getSuppressed()) {
            append(text, suppressed, indentation + "\t", "Suppressed: ");
        }
        if (thrown.getCause() != null) {
            append(text, thrown.getCause(), indentation, "Caused by: ");
        }
    }

    private static String headline(IThrowableProxy thrown) {
        return thrown.getMessage() == null
                ? thrown.getClassName()
                : thrown.getClassName() + ": " + OutsideText.oneLine(OutsideText.brief(thrown.getMessage()));
    }

    private static String one(IThrowableProxy thrown) {
        String name = thrown.getClassName().substring(thrown.getClassName().lastIndexOf('.') + 1);
        return thrown.getMessage() == null ? name : name + ": " + thrown.getMessage();
    }
}
