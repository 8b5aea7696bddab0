/**
 * Where a pod must and would like to be: affinity to nodes and pods, and spreading. Knows no objects, only their labels.
 */
@NullMarked
package io.evenkeel.model.constraint;

import org.jspecify.annotations.NullMarked;
