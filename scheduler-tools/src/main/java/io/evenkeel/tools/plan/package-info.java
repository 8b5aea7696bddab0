/** What commands that plan share: the clusters that they are asked about. */
@NullMarked
package io.evenkeel.tools.plan;

import org.jspecify.annotations.NullMarked;
