/**
 * The turn of a group of pods: which are taken, what is planned for them ahead, who goes from the whole cluster so that all of a
 * gang fit ({@link io.evenkeel.groups.turn.GangPreemption}), what is made of what was found out about them.
 */
@NullMarked
package io.evenkeel.groups.turn;

import org.jspecify.annotations.NullMarked;
