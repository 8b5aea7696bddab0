/** Companions that look on while a live scheduler is at work, and what they may write meanwhile. */
@NullMarked
package io.evenkeel.app.companion;

import org.jspecify.annotations.NullMarked;
