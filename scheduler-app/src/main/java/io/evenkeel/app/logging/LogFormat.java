package io.evenkeel.app.logging;

/** How log lines look. */
public enum LogFormat {
    TEXT,
    JSON
}
