/** Label and field selectors of lists and watches. */
@NullMarked
package io.evenkeel.hollow.selector;

import org.jspecify.annotations.NullMarked;
