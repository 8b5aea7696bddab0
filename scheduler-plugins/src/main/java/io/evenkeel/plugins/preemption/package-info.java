/** Pods of higher priority get their places: which pods go for them, and from which node. */
@NullMarked
package io.evenkeel.plugins.preemption;

import org.jspecify.annotations.NullMarked;
