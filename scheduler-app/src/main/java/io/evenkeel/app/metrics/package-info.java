/**
 * What the scheduler counts and measures, by the names, labels and bounds that kube-scheduler gave them, and what it
 * alone knows under {@code evenkeel_}. Recording is for the engine's thread, which pays some nanoseconds; reading is for
 * whoever scrapes, at any time, without asking the engine.
 */
@NullMarked
package io.evenkeel.app.metrics;

import org.jspecify.annotations.NullMarked;
