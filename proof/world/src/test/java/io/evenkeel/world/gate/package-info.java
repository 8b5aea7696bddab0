/** Whether the simulated world notices it when the scheduler is broken: a list of ways to break it, each of which it must find. */
@NullMarked
package io.evenkeel.world.gate;

import org.jspecify.annotations.NullMarked;
