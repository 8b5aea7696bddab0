/** The commands {@code evenkeel drain}, {@code capacity} and {@code consolidate}: which nodes can go, and what becomes of their pods. */
@NullMarked
package io.evenkeel.tools.drain;

import org.jspecify.annotations.NullMarked;
