/**
 * A pod as scheduling reads it, interned: facets, shapes, and what is worked out once for each. Knows no node and no
 * other pod.
 */
@NullMarked
package io.evenkeel.cluster.shape;

import org.jspecify.annotations.NullMarked;
