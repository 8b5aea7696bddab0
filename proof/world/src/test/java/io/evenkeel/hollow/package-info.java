/** The door through which the simulated world reaches the hollow cluster's API without its connections. */
@NullMarked
package io.evenkeel.hollow;

import org.jspecify.annotations.NullMarked;
