/** Label and field selectors of lists and watches. */
@NullMarked
package io.evenkeel.app.hollow.selector;

import org.jspecify.annotations.NullMarked;
