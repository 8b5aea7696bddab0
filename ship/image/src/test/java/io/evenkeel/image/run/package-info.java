/**
 * An image that was built, unpacked and run without an engine: its own entry point, user and files, on a read-only
 * root. Skipped where no image was built (that takes -Pimage), or where one may not mount.
 */
@NullMarked
package io.evenkeel.image.run;

import org.jspecify.annotations.NullMarked;
