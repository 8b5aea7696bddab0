/**
 * The resources that are served: how each is named in paths and objects, selected, and patched, and the status that refuses a
 * request.
 */
@NullMarked
package io.evenkeel.hollow.resource;

import org.jspecify.annotations.NullMarked;
