/**
 * Pods that are alike and the domains that they are spread over, in numbers: which ends there can be, in which order they are
 * reached, and the proof where there is none. Knows nothing of the live state; what it finds has yet to be judged there.
 */
@NullMarked
package io.evenkeel.groups.flow;

import org.jspecify.annotations.NullMarked;
