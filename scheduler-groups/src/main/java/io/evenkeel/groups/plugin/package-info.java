/** Gangs, and pods of one owner or of one value of a label, which are placed with regard to each other. */
@NullMarked
package io.evenkeel.groups.plugin;

import org.jspecify.annotations.NullMarked;
