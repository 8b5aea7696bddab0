package io.evenkeel.hollow.fault;

import io.evenkeel.hollow.rest.request.Attributes;

/** Requests of a verb on a resource, such as {@code create pods/binding}; {@code *} stands for any. */
public record RequestMatch(String verb, String resource) {

    public static final RequestMatch ANY = new RequestMatch("*", "*");

    boolean matches(Attributes attributes) {
        return (verb.equals("*") || verb.equals(attributes.verb()))
                && (resource.equals("*") || resource.equals(attributes.resourcePath()));
    }
}
