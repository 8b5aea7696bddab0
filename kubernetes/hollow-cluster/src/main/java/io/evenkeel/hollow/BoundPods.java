package io.evenkeel.hollow;

import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Duration;

/** Bindings, counted: pods that got a node after they were created, whether they are still there or not. */
public final class BoundPods {
    private int count;

    BoundPods() {}

    void take(Change change) {
        if (change instanceof Change.Modified modified && !isPlaced(modified.before()) && isPlaced(modified.object())) {
            countOne();
        }
    }

    private static boolean isPlaced(StoredObject object) {
        return object.key().table().equals(ResourceTable.PODS.storage())
                && !Trees.text(object.tree(), "spec", "nodeName").isEmpty();
    }

    private synchronized void countOne() {
        count++;
        notifyAll();
    }

    /** Returns how many there are, as soon as there are as many as these, or none was added for so long. */
    public synchronized int await(int enough, Duration patience) throws InterruptedException {
        int before = count;
        long end = System.nanoTime() + patience.toNanos();
        while (count < enough) {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                break;
            }
            wait(left);
            if (count > before) {
                before = count;
                end = System.nanoTime() + patience.toNanos();
            }
        }
        return count;
    }
}
