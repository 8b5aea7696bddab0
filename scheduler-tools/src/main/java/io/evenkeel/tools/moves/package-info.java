/** Moves carried out on a cluster: beside the live scheduler, which holds their places, or from outside. Plans are made elsewhere. */
@NullMarked
package io.evenkeel.tools.moves;

import org.jspecify.annotations.NullMarked;
