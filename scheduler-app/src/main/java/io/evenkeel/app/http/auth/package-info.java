/**
 * Authentication and authorization: who a client is, by its certificate, a front proxy's headers or a token, who is
 * trusted in that, and whether it may read a path, which the API server decides. Knows requests and replies, not the server
 * that carries them.
 */
@NullMarked
package io.evenkeel.app.http.auth;

import org.jspecify.annotations.NullMarked;
