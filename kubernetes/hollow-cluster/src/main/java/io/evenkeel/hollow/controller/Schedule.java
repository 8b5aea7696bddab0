package io.evenkeel.hollow.controller;

import java.time.Duration;

/** Does something later, on the thread of the controllers. */
interface Schedule {

    /** Once, after a delay. */
    void in(Duration delay, Runnable action);

    /** Runs again and again; waiting for the controllers to settle does not include these. */
    void every(Duration interval, Runnable action);
}
