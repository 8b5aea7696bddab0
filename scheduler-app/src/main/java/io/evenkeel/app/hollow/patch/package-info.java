/** The three kinds of patches: strategic merge, JSON merge, JSON patch. */
@NullMarked
package io.evenkeel.app.hollow.patch;

import org.jspecify.annotations.NullMarked;
