/**
 * What can change so that a pod which waits may fit, and how plugins judge it: kinds of change, and hints. Knows no plugin,
 * and no queue.
 */
@NullMarked
package io.evenkeel.framework.change;

import org.jspecify.annotations.NullMarked;
