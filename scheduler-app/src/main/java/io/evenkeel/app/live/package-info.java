/**
 * The live scheduler: the engine's thread with its mailbox, and everything around it put together: watches, dispatcher,
 * leader election, serving.
 */
@NullMarked
package io.evenkeel.app.live;

import org.jspecify.annotations.NullMarked;
