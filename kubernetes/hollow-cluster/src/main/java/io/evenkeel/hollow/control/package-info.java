/** How controllers run: one thread that follows the store's changes. Knows no particular controller. */
@NullMarked
package io.evenkeel.hollow.control;

import org.jspecify.annotations.NullMarked;
