/**
 * The log that long-running commands write to standard error: one line an event, as text or JSON. Nothing here is
 * loaded before the first logger is asked for, so commands that do not log do not pay for it.
 */
@NullMarked
package io.evenkeel.app.logging;

import org.jspecify.annotations.NullMarked;
