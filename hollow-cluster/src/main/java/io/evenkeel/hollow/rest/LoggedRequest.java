package io.evenkeel.hollow.rest;

import io.evenkeel.hollow.auth.Attributes;

/** A request that was answered; a code of 0 means that the connection was broken instead. */
public record LoggedRequest(String method, String path, int code, String user, Attributes attributes) {}
