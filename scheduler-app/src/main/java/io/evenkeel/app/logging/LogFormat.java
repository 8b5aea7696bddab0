package io.evenkeel.app.logging;

import java.util.Locale;

/** How log lines look. */
public enum LogFormat {
    TEXT,
    JSON;

    /** As it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
