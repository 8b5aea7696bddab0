package io.evenkeel.schema;

/** The apiVersion and kind of an object. */
public record TypeMeta(String apiVersion, String kind) {

    public static final TypeMeta STATUS = new TypeMeta("v1", "Status");
}
