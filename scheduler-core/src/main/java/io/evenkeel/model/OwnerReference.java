package io.evenkeel.model;

/** The controller that owns an object, as {@code metadata.ownerReferences} names it. */
public record OwnerReference(String apiVersion, String kind, String name, String uid) {}
