/** API servers and the way to them: late, broken, old, false. Knows nothing of what is tried. */
@NullMarked
package io.evenkeel.world.net;

import org.jspecify.annotations.NullMarked;
