package io.evenkeel.hollow.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.store.Change.WatchEvent;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes; from every version on, the events lead to the list that is there at the end. */
class StorePropertyTest {

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aWatcherFromAnyVersionEndsWithTheList(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Store store = new Store(10_000);
        List<Map<String, Long>> past = new ArrayList<>();
        past.add(Map.of());
        Map<String, Long> model = new TreeMap<>();
        for (int step = 0; step < 300; step++) {
            write(store, model, random);
            while (past.size() <= store.version()) {
                past.add(new TreeMap<>(model));
            }
        }

        for (long version = 0; version <= store.version(); version++) {
            assertThat(versions(store.listAt(version, "pods", "").objects(), _ -> true))
                    .isEqualTo(past.get((int) version));
            for (Predicate<StoredObject> selected :
                    List.<Predicate<StoredObject>>of(_ -> true, StorePropertyTest::even)) {
                Map<String, Long> seen =
                        versions(store.listAt(version, "pods", "").objects(), selected);
                for (Change change :
                        store.changesAfter(version, "pods", 0, () -> true).changes()) {
                    change.seenBy(selected).ifPresent(event -> follow(seen, event));
                }
                assertThat(seen).isEqualTo(versions(store.list("pods", "").objects(), selected));
            }
        }
    }

    private static void write(Store store, Map<String, Long> model, SplittableRandom random) {
        String namespace = "ns" + random.nextInt(3);
        ObjectKey key = new ObjectKey("pods", namespace, "p" + random.nextInt(6));
        var tree = Trees.parse("{\"metadata\":{},\"n\":%d}".formatted(random.nextInt(4)));
        var current = store.get(key);
        assertThat(current.isPresent()).isEqualTo(model.containsKey(key.path()));
        if (current.isEmpty()) {
            model.put(key.path(), store.create(key, tree).orElseThrow().version());
        } else if (random.nextInt(3) == 0) {
            store.remove(current.get());
            model.remove(key.path());
            assertThat(store.replace(current.get(), tree)).isEmpty();
        } else {
            model.put(
                    key.path(), store.replace(current.get(), tree).orElseThrow().version());
        }
    }

    private static void follow(Map<String, Long> seen, WatchEvent event) {
        String path = event.object().key().path();
        switch (event.type()) {
            case ADDED -> assertThat(seen.put(path, event.object().version())).isNull();
            case MODIFIED ->
                assertThat(seen.put(path, event.object().version())).isNotNull();
            case DELETED -> assertThat(seen.remove(path)).isNotNull();
            default -> throw new AssertionError(event);
        }
    }

    private static Map<String, Long> versions(List<StoredObject> objects, Predicate<StoredObject> selected) {
        Map<String, Long> versions = new TreeMap<>();
        objects.stream()
                .filter(selected)
                .forEach(object -> versions.put(object.key().path(), object.version()));
        return versions;
    }

    private static boolean even(StoredObject object) {
        return Trees.number(object.tree(), "n").orElse(0L) % 2 == 0;
    }
}
