/** Pods on their way to their nodes, the permits that some of them wait for, and pods that are evicted for others. */
@NullMarked
package io.evenkeel.engine.binding;

import org.jspecify.annotations.NullMarked;
