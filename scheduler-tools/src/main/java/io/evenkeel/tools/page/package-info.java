/** A page to look at: what a scheduler knows of its cluster, in a browser. */
@NullMarked
package io.evenkeel.tools.page;

import org.jspecify.annotations.NullMarked;
