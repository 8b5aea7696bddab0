/**
 * The pods in which extenders have a say, one of which is at the extenders at a time.
 */
@NullMarked
package io.evenkeel.engine.extender;

import org.jspecify.annotations.NullMarked;
