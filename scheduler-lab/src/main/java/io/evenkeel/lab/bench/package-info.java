/**
 * Measures clusters and pods that a named workload makes up: the engine alone, the live loop, or all from end to end. The
 * workloads are declared here, once, for the command line and for the JMH benchmarks.
 */
@NullMarked
package io.evenkeel.lab.bench;

import org.jspecify.annotations.NullMarked;
