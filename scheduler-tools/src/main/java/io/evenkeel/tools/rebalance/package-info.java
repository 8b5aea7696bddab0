/** The command {@code evenkeel rebalance}: moves that put a cluster right, planned and told. */
@NullMarked
package io.evenkeel.tools.rebalance;

import org.jspecify.annotations.NullMarked;
