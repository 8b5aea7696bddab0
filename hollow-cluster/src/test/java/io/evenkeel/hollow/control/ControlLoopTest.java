package io.evenkeel.hollow.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
    private final Store store = new Store(10);
    private final List<ObjectKey> looked = new CopyOnWriteArrayList<>();

    /** Cannot make sense of an object that is called "bad". */
    private final Controller controller = new Controller() {
        @Override
        public void concerned(Change change, Consumer<ObjectKey> look) {
            if (change.object().key().name().equals("bad")) {
                throw new IllegalArgumentException("makes no sense");
            }
            look.accept(change.object().key());
        }

        @Override
        public void sync(ObjectKey key) {
            looked.add(key);
        }
    };

    @Test
    void anObjectThatMakesNoSenseEndsNoController() throws InterruptedException {
        ObjectKey good = key("good");
        try (ControlLoop loop = new ControlLoop()) {
            loop.start(store, List.of(controller));
            create(key("bad"));
            loop.settle();
            create(good);
            loop.settle();
        }
        assertThat(looked).containsExactly(good);
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("pods", "default", name);
    }

    private void create(ObjectKey key) {
        assertThat(store.create(key, Trees.parse("{\"metadata\":{}}"))).isPresent();
    }
}
