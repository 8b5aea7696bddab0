/** The kinds of storage: what they have where nothing was said, and the rules of a real server about the rest. */
@NullMarked
package io.evenkeel.hollow.kind.storage;

import org.jspecify.annotations.NullMarked;
