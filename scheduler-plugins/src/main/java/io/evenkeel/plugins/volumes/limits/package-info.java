/** How many volumes a node can have attached at once, and how many it has. */
@NullMarked
package io.evenkeel.plugins.volumes.limits;

import org.jspecify.annotations.NullMarked;
