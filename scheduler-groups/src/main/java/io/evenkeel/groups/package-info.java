/**
 * Pods that are placed together: whether all of a group can be, in which order, and if not, why not. What is found is tried
 * on the live cluster under what-ifs and judged by the ordinary filters; nothing of it stays. Alike pods and the domains that
 * they are spread over are numbers first ({@link io.evenkeel.groups.AlikeModel}): which ends there can be, and in which order they are reached.
 */
@NullMarked
package io.evenkeel.groups;

import org.jspecify.annotations.NullMarked;
