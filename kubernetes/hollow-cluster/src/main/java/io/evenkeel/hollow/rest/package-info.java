/**
 * The API over HTTP: connections, requests and their users, the verbs on objects, the trouble that tests order, and what the
 * server says of itself and of a user's rights.
 */
@NullMarked
package io.evenkeel.hollow.rest;

import org.jspecify.annotations.NullMarked;
