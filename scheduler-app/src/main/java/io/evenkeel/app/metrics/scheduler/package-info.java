/**
 * Metrics of the engine, its queue and its plugins, by kube-scheduler's names, labels and bounds, and by the prefix
 * {@code evenkeel_} where kube-scheduler has none.
 */
@NullMarked
package io.evenkeel.app.metrics.scheduler;

import org.jspecify.annotations.NullMarked;
