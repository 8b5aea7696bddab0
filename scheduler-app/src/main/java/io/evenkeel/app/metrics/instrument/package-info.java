/**
 * Counters, gauges and histograms that one thread changes at the cost of some nanoseconds and any thread reads without a
 * lock. Knows no metric by name.
 */
@NullMarked
package io.evenkeel.app.metrics.instrument;

import org.jspecify.annotations.NullMarked;
