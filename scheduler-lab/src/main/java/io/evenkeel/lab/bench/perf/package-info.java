/**
 * The workloads of Kubernetes' own benchmark, scheduler_perf, under its names and at its sizes: all that pods and nodes alone
 * make, without the API server or the queue. {@link io.evenkeel.lab.bench.perf.PerfWorkload} is the table of them.
 */
@NullMarked
package io.evenkeel.lab.bench.perf;

import org.jspecify.annotations.NullMarked;
