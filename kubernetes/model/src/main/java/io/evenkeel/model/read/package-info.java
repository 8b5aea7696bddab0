/** Reads whole objects, and lists of them, of whichever kinds there are, from JSON and from protobuf. */
@NullMarked
package io.evenkeel.model.read;

import org.jspecify.annotations.NullMarked;
