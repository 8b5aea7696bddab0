/** What must hold: recounted in the plainest way from what a replica was told, and from what the server has in the end. */
@NullMarked
package io.evenkeel.world.check;

import org.jspecify.annotations.NullMarked;
