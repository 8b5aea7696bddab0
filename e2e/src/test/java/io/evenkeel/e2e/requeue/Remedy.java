package io.evenkeel.e2e.requeue;

import io.evenkeel.e2e.scene.Scene;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A change that lets a pod be placed, the scene in which it cannot be placed before, and the pod: "subject". */
record Remedy(String name, Consumer<Scene> setting, String pod, Consumer<Scene> change) {

    static List<Remedy> all() {
        return Stream.of(NodeRemedies.all(), NeighbourRemedies.all(), OwnRemedies.all())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
