package io.evenkeel.hollow.rest;

/**
 * A request that was dealt with.
 *
 * @param protocol such as {@code HTTP/2.0}
 * @param code 0 where it was broken off without an answer
 */
public record LoggedRequest(
        String protocol, String method, String path, int code, String user, Attributes attributes) {}
