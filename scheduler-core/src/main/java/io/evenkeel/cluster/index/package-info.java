/**
 * The work of a structure that is kept up to date with the cluster, a plugin's own among them: it is told of every change,
 * and counts anew from the facts where it is audited; the last versions of all objects, and how much work was done. Knows no other structure.
 */
@NullMarked
package io.evenkeel.cluster.index;

import org.jspecify.annotations.NullMarked;
