/** Which resources there are, and how each is named in paths and objects. */
@NullMarked
package io.evenkeel.hollow.resource;

import org.jspecify.annotations.NullMarked;
