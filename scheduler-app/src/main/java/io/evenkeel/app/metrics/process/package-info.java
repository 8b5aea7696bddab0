/**
 * Metrics of the process: its build and version, feature gates, health checks, processor and memory, the JVM, and
 * its requests and watches.
 */
@NullMarked
package io.evenkeel.app.metrics.process;

import org.jspecify.annotations.NullMarked;
