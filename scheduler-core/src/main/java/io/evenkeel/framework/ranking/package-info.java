/** Who scores best of all nodes, found without a look at each. */
@NullMarked
package io.evenkeel.framework.ranking;

import org.jspecify.annotations.NullMarked;
