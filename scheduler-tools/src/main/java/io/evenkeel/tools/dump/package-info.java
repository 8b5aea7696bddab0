/** Dumps of a cluster: what scheduling reads of it in one file, a line an object, with or without its names. */
@NullMarked
package io.evenkeel.tools.dump;

import org.jspecify.annotations.NullMarked;
