/**
 * Metrics by kube-scheduler's names, labels and bounds, and by the prefix {@code evenkeel_} where kube-scheduler has none: of
 * the engine, its queue and plugins, and of the process. The endpoints that show them, the flags that choose, and the
 * counters and histograms that one thread changes at the cost of some nanoseconds and any thread reads without a lock.
 */
@NullMarked
package io.evenkeel.app.metrics;

import org.jspecify.annotations.NullMarked;
