/**
 * What admission and defaulting do to a pod, and what a pod must say. Knows no other kind but what a pod names.
 */
@NullMarked
package io.evenkeel.hollow.kind.pod;

import org.jspecify.annotations.NullMarked;
