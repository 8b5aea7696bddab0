/** A cluster as it is said to be, what is changed of it, and which pods have to be placed again for that. Places nothing. */
@NullMarked
package io.evenkeel.tools.simulate.cluster;

import org.jspecify.annotations.NullMarked;
