/** Plans of moves that put a cluster right: which running pods go where, so that every hard constraint holds. Nothing is moved here. */
@NullMarked
package io.evenkeel.whatif.rebalance;

import org.jspecify.annotations.NullMarked;
