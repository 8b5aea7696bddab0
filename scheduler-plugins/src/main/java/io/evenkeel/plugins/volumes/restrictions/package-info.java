/** Disks that one pod of a node can have at once, and claims that one pod of the cluster can. */
@NullMarked
package io.evenkeel.plugins.volumes.restrictions;

import org.jspecify.annotations.NullMarked;
