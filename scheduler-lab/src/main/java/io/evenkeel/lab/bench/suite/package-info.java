/**
 * A fixed list of cases, measured one after the other in one process, and compared with what was measured before. Which cases there
 * are is in {@link io.evenkeel.lab.bench.suite.Suite}.
 */
@NullMarked
package io.evenkeel.lab.bench.suite;

import org.jspecify.annotations.NullMarked;
