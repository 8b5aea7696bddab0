/** The resources that are served, and how each is named in paths and objects. */
@NullMarked
package io.evenkeel.hollow.resource;

import org.jspecify.annotations.NullMarked;
