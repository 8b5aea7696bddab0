/** The three kinds of patches: strategic merge, JSON merge, JSON patch. */
@NullMarked
package io.evenkeel.hollow.patch;

import org.jspecify.annotations.NullMarked;
