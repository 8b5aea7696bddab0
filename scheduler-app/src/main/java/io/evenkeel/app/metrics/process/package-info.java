/**
 * Metrics of the process: its build and version, feature gates, health checks, processor and memory, and those of the JVM.
 */
@NullMarked
package io.evenkeel.app.metrics.process;

import org.jspecify.annotations.NullMarked;
