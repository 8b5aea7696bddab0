/**
 * A request and a reply as the API has them: the connection that they come by, path, query, body, the user whom it speaks for,
 * and objects in the encoding that was asked for.
 */
@NullMarked
package io.evenkeel.hollow.rest.request;

import org.jspecify.annotations.NullMarked;
