/**
 * What the server tells of itself, and of what a user may do: groups and resources, OpenAPI, version, reviews of access.
 */
@NullMarked
package io.evenkeel.hollow.rest.discovery;

import org.jspecify.annotations.NullMarked;
