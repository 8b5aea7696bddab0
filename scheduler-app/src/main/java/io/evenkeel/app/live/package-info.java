/**
 * The live scheduler: the engine's thread with its mailbox, and everything around it put together: watches, dispatcher,
 * leader election, serving, and what the log says of each binding.
 */
@NullMarked
package io.evenkeel.app.live;

import org.jspecify.annotations.NullMarked;
