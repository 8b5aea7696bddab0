package io.evenkeel.model;

import java.util.Optional;

/** Reads {@code metadata}; it knows the object's name for messages as soon as it has passed by. */
final class MetaReader {
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private Labels labels = Labels.EMPTY;
    private Optional<OwnerReference> controller = Optional.empty();
    private boolean terminating;
    private String resourceVersion = "";
    private long generation;

    void read(JsonCursor in) {
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "namespace" -> namespace = in.sharedString();
                case "name" -> name = in.string();
                case "uid" -> uid = in.string();
                case "labels" -> labels = in.labels();
                case "ownerReferences" -> readOwners(in);
                case "deletionTimestamp" -> terminating = !in.string().isEmpty();
                case "resourceVersion" -> resourceVersion = in.string();
                case "generation" -> generation = in.longInteger();
                default -> in.skip();
            }
        }
    }

    private void readOwners(JsonCursor in) {
        in.enterList();
        while (in.nextElement()) {
            Optional<OwnerReference> owner = readOwner(in);
            controller = controller.isPresent() ? controller : owner;
        }
    }

    private static Optional<OwnerReference> readOwner(JsonCursor in) {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        boolean controls = false;
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "apiVersion" -> apiVersion = in.sharedString();
                case "kind" -> kind = in.sharedString();
                case "name" -> name = in.sharedString();
                case "uid" -> uid = in.sharedString();
                case "controller" -> controls = in.bool();
                default -> in.skip();
            }
        }
        return controls ? Optional.of(new OwnerReference(apiVersion, kind, name, uid)) : Optional.empty();
    }

    boolean isNamed() {
        return !name.isEmpty();
    }

    /** {@code namespace/name} as far as it is known. */
    String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    ObjectMeta build(String namespaceWhereAbsent) {
        String home = namespace.isEmpty() ? namespaceWhereAbsent : namespace;
        return new ObjectMeta(home, name, uid, labels, controller, terminating, resourceVersion, generation);
    }
}
