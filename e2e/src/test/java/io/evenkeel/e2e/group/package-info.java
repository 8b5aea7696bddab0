/** Pods that are placed together: gangs of PodGroups of both API groups, and pods of an owner that is looked ahead for. */
@NullMarked
package io.evenkeel.e2e.group;

import org.jspecify.annotations.NullMarked;
