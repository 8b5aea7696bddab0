/**
 * What a scheduler plugin is and how a profile runs its plugins: the extension points, statuses, the state of one
 * scheduling cycle, the diagnosis of a pod that fits nowhere. Knows no plugin by name.
 */
@NullMarked
package io.evenkeel.framework;

import org.jspecify.annotations.NullMarked;
