package io.evenkeel.schema;

/** What an object says it is. */
public record TypeMeta(String apiVersion, String kind) {

    public static final TypeMeta STATUS = new TypeMeta("v1", "Status");
}
