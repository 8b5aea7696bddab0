/**
 * Preemption for a gang: who goes from the whole cluster so that all of its pods fit, and where they then sit. All is found out
 * under what-ifs; nothing of it stays.
 */
@NullMarked
package io.evenkeel.groups.room;

import org.jspecify.annotations.NullMarked;
