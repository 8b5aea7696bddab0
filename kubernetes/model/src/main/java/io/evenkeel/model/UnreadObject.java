package io.evenkeel.model;

/** An object of a kind that scheduling does not read; only its identity is kept. */
public record UnreadObject(String kind, ObjectMeta meta) implements KubernetesObject {
    @Override
    public String kindName() {
        return kind;
    }
}
