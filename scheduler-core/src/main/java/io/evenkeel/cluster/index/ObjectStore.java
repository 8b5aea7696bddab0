package io.evenkeel.cluster.index;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last version of every object that is neither node nor pod, whatever its kind, by kind and key: these two have
 * tables of their own. A look-up costs two accesses to hash maps.
 */
public final class ObjectStore {
    private final Map<String, Map<String, KubernetesObject>> byKind = new HashMap<>();

    private ObjectStore() {}

    /** Starts empty; the caller is to change it. */
    public static Writer create() {
        return new ObjectStore().new Writer();
    }

    public <T extends KubernetesObject> Optional<T> find(Kind<T> kind, String key) {
        KubernetesObject found = get(kind.name(), key);
        return found == null ? Optional.empty() : Optional.of(kind.type().cast(found));
    }

    public <T extends KubernetesObject> Collection<T> all(Kind<T> kind) {
        return all(kind.name()).stream().map(kind.type()::cast).toList();
    }

    /** The object of the same kind and name. */
    public Optional<KubernetesObject> like(KubernetesObject object) {
        return find(object.kindName(), object.meta().key());
    }

    public Optional<KubernetesObject> find(String kind, String key) {
        return Optional.ofNullable(get(kind, key));
    }

    private @Nullable KubernetesObject get(String kind, String key) {
        return byKind.getOrDefault(kind, Map.of()).get(key);
    }

    public List<KubernetesObject> all(String kind) {
        return List.copyOf(byKind.getOrDefault(kind, Map.of()).values());
    }

    public List<KubernetesObject> all() {
        List<KubernetesObject> all = new ArrayList<>();
        byKind.values().forEach(objects -> all.addAll(objects.values()));
        return all;
    }

    public int count() {
        return byKind.values().stream().mapToInt(Map::size).sum();
    }

    /** Changes it; made with it, and not to be had from it. */
    public final class Writer {
        private Writer() {}

        public ObjectStore objects() {
            return ObjectStore.this;
        }

        /** Answers the version before. */
        public Optional<KubernetesObject> put(KubernetesObject object) {
            return Optional.ofNullable(byKind.computeIfAbsent(object.kindName(), _ -> new HashMap<>())
                    .put(object.meta().key(), object));
        }

        /** Answers the last version. */
        public Optional<KubernetesObject> remove(KubernetesObject object) {
            Map<String, KubernetesObject> objects = byKind.getOrDefault(object.kindName(), new HashMap<>());
            return Optional.ofNullable(objects.remove(object.meta().key()));
        }
    }
}
