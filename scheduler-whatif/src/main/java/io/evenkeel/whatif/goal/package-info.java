/** Goals of moves beside the hard constraints, and the plans that reach them. Nothing is moved here. */
@NullMarked
package io.evenkeel.whatif.goal;

import org.jspecify.annotations.NullMarked;
