package io.evenkeel.hollow.auth;

/** What somebody wants to do; what does not apply is empty. */
public record Attributes(
        String verb, String group, String resource, String subresource, String namespace, String name) {

    /** As rules name it: {@code pods/binding}. */
    public String resourcePath() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
