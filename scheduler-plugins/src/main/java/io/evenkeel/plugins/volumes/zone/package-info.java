/** Zones that volumes have in their labels. */
@NullMarked
package io.evenkeel.plugins.volumes.zone;

import org.jspecify.annotations.NullMarked;
