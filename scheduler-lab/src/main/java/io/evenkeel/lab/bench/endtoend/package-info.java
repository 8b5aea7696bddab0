/**
 * Measures the whole scheduler against an API server in a process of its own, so that what the scheduler's process uses
 * is the scheduler's.
 */
@NullMarked
package io.evenkeel.lab.bench.endtoend;

import org.jspecify.annotations.NullMarked;
