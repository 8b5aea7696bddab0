/** Remembers news of the cluster: which kinds are needed, what is old or was told already, what a relist left out. */
@NullMarked
package io.evenkeel.engine.intake;

import org.jspecify.annotations.NullMarked;
