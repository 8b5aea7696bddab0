package io.evenkeel.framework;

/**
 * The name of a group of pods.
 *
 * @param noun what it is to people, such as ReplicaSet or pod group
 * @param namespace of its pods
 * @param name of the object that it is called after
 * @param identity what tells it from others of that name, such as its owner's UID and revision; empty where nothing does
 */
public record GroupKey(String noun, String namespace, String name, String identity) {

    /** For people, such as {@code pod group shop/train}. */
    @Override
    public String toString() {
        return noun + " " + namespace + "/" + name;
    }
}
