/** Plans of drains: in which order nodes are emptied, and where their pods go. Nothing is drained here. */
@NullMarked
package io.evenkeel.whatif.drain;

import org.jspecify.annotations.NullMarked;
