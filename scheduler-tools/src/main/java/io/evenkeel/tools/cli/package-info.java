/** The commands beside {@code run}: they explain, observe, simulate, replay and dump. */
@NullMarked
package io.evenkeel.tools.cli;

import org.jspecify.annotations.NullMarked;
