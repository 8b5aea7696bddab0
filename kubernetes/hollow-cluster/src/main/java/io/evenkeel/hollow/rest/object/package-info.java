/**
 * The verbs on objects: get, list, watch, create, update, patch, delete, and subresources.
 */
@NullMarked
package io.evenkeel.hollow.rest.object;

import org.jspecify.annotations.NullMarked;
