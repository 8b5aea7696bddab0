/** Pods that are placed together: who is in which group, on which terms, and how many of it there are. */
@NullMarked
package io.evenkeel.framework.group;

import org.jspecify.annotations.NullMarked;
