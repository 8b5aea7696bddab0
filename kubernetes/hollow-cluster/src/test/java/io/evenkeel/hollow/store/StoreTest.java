package io.evenkeel.hollow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.hollow.store.Store.CompactedException;
import io.evenkeel.model.json.Trees;
import org.junit.jupiter.api.Test;

class StoreTest {

    private final Store store = new Store(3);

    @Test
    void forgetsWhatDoesNotFitTheHistory() throws Exception {
        for (int i = 1; i <= 5; i++) {
            create("p" + i);
        }

        assertThat(store.changesAfter(2, "pods", 0, () -> true).changes()).hasSize(3);
        assertThatThrownBy(() -> store.changesAfter(1, "pods", 0, () -> true)).isInstanceOf(CompactedException.class);
    }

    @Test
    void aTableThatComesAfterACompactionBeginsThere() {
        create("p");
        store.compact();

        assertThatThrownBy(() -> store.changesAfter(0, "nodes", 0, () -> true)).isInstanceOf(CompactedException.class);
    }

    @Test
    void listsANamespaceWithoutItsNamesakes() {
        for (String namespace : new String[] {"a", "a-b", "a0", "b"}) {
            store.create(new ObjectKey("pods", namespace, "p"), Trees.parse("{\"metadata\":{}}"));
        }

        assertThat(store.list("pods", "a").objects())
                .extracting(object -> object.key().namespace())
                .containsExactly("a");
    }

    @Test
    void encodesAVersionOnce() {
        create("p");
        StoredObject object = store.list("pods", "").objects().getFirst();

        assertThat(object.encoded("json", () -> new byte[] {1}))
                .isSameAs(object.encoded("json", () -> new byte[] {2}))
                .isNotSameAs(object.encoded("other", () -> new byte[] {1}));
    }

    private void create(String name) {
        store.create(new ObjectKey("pods", "default", name), Trees.parse("{\"metadata\":{}}"));
    }
}
