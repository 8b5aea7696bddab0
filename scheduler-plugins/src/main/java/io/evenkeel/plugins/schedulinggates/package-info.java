/** Keeps pods with scheduling gates out of the queue. */
@NullMarked
package io.evenkeel.plugins.schedulinggates;

import org.jspecify.annotations.NullMarked;
