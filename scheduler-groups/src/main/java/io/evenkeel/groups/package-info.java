/**
 * Pods that are placed together: whether all of a group can be, in which order, and if not, why not. What is found is tried
 * on the live cluster under what-ifs and judged by the ordinary filters; nothing of it stays.
 */
@NullMarked
package io.evenkeel.groups;

import org.jspecify.annotations.NullMarked;
