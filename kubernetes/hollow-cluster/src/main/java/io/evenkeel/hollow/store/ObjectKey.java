package io.evenkeel.hollow.store;

/**
 * Where an object is kept.
 *
 * @param table its resource, however many versions of it are served
 * @param namespace empty for objects of the cluster
 */
public record ObjectKey(String table, String namespace, String name) {

    /** Sorts as etcd sorts: by the path, so that {@code a-b/x} comes before {@code a/x}. */
    String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
