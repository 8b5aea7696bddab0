/** What lives in a cluster beside its schedulers, and changes it. */
@NullMarked
package io.evenkeel.world.life;

import org.jspecify.annotations.NullMarked;
