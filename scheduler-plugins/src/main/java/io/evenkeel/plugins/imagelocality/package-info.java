/** Images that are on the node already. */
@NullMarked
package io.evenkeel.plugins.imagelocality;

import org.jspecify.annotations.NullMarked;
