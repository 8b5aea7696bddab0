package io.evenkeel.hollow.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
    private final Store store = new Store(10);
    private final List<ObjectKey> looked = new CopyOnWriteArrayList<>();

    /** Cannot make sense of an object that is called "bad". */
    private final Controller controller = new Controller() {
        @Override
        public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
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

    /** Two looks at one owner may come due together, as where both of its first ones were refused. */
    @Test
    void aLookSeesWhatTheOneBeforeItWrote() throws InterruptedException {
        List<ObjectKey> made = new CopyOnWriteArrayList<>();
        try (ControlLoop loop = new ControlLoop()) {
            for (String name : List.of("first", "second")) {
                loop.in(Duration.ZERO, () -> {
                    if (loop.observed()
                            .controlledBy("owner", ResourceTable.PODS)
                            .isEmpty()) {
                        made.add(key(name));
                        create(key(name), "{metadata: {ownerReferences: [{uid: owner, controller: true}]}}");
                    }
                });
            }
            loop.start(store, List.of());
            loop.settle();
        }
        assertThat(made).containsExactly(key("first"));
    }

    /** Its cause may go: settling waits for the next look then, and not for one that comes late. */
    @Test
    void aLookThatFailsIsTriedAgainAndSoonWhereItsCauseMayBeGone() throws InterruptedException {
        CountDownLatch looks = new CountDownLatch(2);
        Controller failing = new Controller() {
            @Override
            public void forEachConcerned(Change change, Consumer<ObjectKey> look) {}

            @Override
            public void sync(ObjectKey key) {
                looked.add(key);
                if (looked.size() <= 2) {
                    looks.countDown();
                    throw Refusals.badRequest("not yet");
                }
            }
        };
        try (ControlLoop loop = new ControlLoop()) {
            loop.in(Duration.ZERO, () -> loop.look(failing, key("late")));
            loop.start(store, List.of());
            looks.await();
            loop.in(Duration.ZERO, () -> loop.hasten("default"));
            loop.settle();
            assertThat(looked).hasSize(3);
        }
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("pods", "default", name);
    }

    private void create(ObjectKey key) {
        create(key, "{metadata: {}}");
    }

    private void create(ObjectKey key, String tree) {
        assertThat(store.create(key, Trees.parse(tree))).isPresent();
    }
}
