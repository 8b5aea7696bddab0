package io.evenkeel.hollow;

/** A request as rights are granted for it: verb, resource, name; what does not apply is empty. */
public record Attributes(
        String verb, String group, String resource, String subresource, String namespace, String name) {

    /** As rules name it: {@code pods/binding}. */
    public String resourcePath() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
