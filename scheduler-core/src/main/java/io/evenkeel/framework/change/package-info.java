/**
 * The changes that may let a waiting pod fit, and how plugins judge it: kinds of change, and hints. Knows no plugin,
 * and no queue.
 */
@NullMarked
package io.evenkeel.framework.change;

import org.jspecify.annotations.NullMarked;
