/** Where pods go, and what they are told when they cannot go anywhere. */
@NullMarked
package io.evenkeel.e2e.placement;

import org.jspecify.annotations.NullMarked;
