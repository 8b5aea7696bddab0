package io.evenkeel.app.plugin;

/** An exception from a plugin's code, described for its author. */
final class Failure {
    private Failure() {}

    /** The message, behind the kind of failure unless that says no more than that something was no good. */
    static String inOneLine(Throwable failure) {
        if (failure instanceof ExceptionInInitializerError && failure.getCause() != null) {
            return inOneLine(failure.getCause());
        }
        String message = String.valueOf(failure.getMessage());
        return inOneLine(
                failure.getClass() == IllegalArgumentException.class && failure.getMessage() != null
                        ? message
                        : failure.getClass().getName() + ": " + message);
    }

    static String inOneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }
}
