/** JMH benchmarks: of the structures, of each plugin, and of whole workloads. How to run them is in the README. */
@NullMarked
package io.evenkeel.benchmarks;

import org.jspecify.annotations.NullMarked;
