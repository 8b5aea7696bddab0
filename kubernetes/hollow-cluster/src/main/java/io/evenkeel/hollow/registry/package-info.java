/** Reading and writing objects by the rules all kinds share; binding, eviction, deletion. */
@NullMarked
package io.evenkeel.hollow.registry;

import org.jspecify.annotations.NullMarked;
