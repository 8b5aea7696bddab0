package io.evenkeel.app.logging;

import java.util.Locale;

/** The format of log lines. */
enum LogFormat {
    TEXT,
    JSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
