/** Plugins out of tree that misbehave for a while, wherever a scheduler calls them. */
@NullMarked
package io.evenkeel.world.plugin;

import org.jspecify.annotations.NullMarked;
