/** The page of a hollow cluster, where what would help may also be done. */
@NullMarked
package io.evenkeel.lab.page;

import org.jspecify.annotations.NullMarked;
