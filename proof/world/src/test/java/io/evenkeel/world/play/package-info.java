/** What a world is played by: choices, an agenda, threads of which one runs at a time, clocks, processes. */
@NullMarked
package io.evenkeel.world.play;

import org.jspecify.annotations.NullMarked;
