/**
 * Pods on their way to their nodes, and the permits that some of them wait for.
 */
@NullMarked
package io.evenkeel.engine.binding;

import org.jspecify.annotations.NullMarked;
