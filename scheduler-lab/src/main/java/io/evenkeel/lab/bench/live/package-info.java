/**
 * The whole scheduler on one thread for benchmarks that create, change and delete one thing after the other, and what it
 * has done meanwhile.
 */
@NullMarked
package io.evenkeel.lab.bench.live;

import org.jspecify.annotations.NullMarked;
