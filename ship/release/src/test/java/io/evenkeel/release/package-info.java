/**
 * What a release publishes, held against itself: versions, checksums, signature, and that each part can be used. Only
 * -Prelease builds this module; {@code assemble} has made the files before.
 */
@NullMarked
package io.evenkeel.release;

import org.jspecify.annotations.NullMarked;
