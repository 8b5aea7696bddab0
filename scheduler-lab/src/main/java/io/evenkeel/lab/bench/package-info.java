/**
 * Measures the engine alone: a cluster and pods made up by a named workload, placed one after the other without any
 * API. The workloads are declared here, once, for the command line and for the JMH benchmarks; so are crowds, groups and the
 * live loop.
 */
@NullMarked
package io.evenkeel.lab.bench;

import org.jspecify.annotations.NullMarked;
