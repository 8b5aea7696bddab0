/**
 * An in-memory Kubernetes API server for demos and tests: its connections, requests and their users, the verbs on objects, and the
 * bytes that objects, lists and watch events become; the trouble that tests order, and what the server says of itself and of a
 * user's rights.
 */
@NullMarked
package io.evenkeel.hollow;

import org.jspecify.annotations.NullMarked;
