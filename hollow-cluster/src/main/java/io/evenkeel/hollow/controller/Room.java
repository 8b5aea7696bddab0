package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.model.value.Quantity;

/** An amount of what pods share on a node. */
record Room(long milliCpu, long memory, long pods) {

    static final Room NONE = new Room(0, 0, 0);

    static Room asked(JsonObject pod) {
        Room sum = new Room(0, 0, 1);
        for (JsonObject container : Trees.objects(pod, "spec", "containers")) {
            sum = sum.plus(of(Trees.object(container, "resources", "requests").orElseGet(JsonObject::new)));
        }
        return sum;
    }

    static Room offered(JsonObject node) {
        return of(Trees.object(node, "status", "allocatable").orElseGet(JsonObject::new));
    }

    boolean fits(Room offered, Room taken) {
        return milliCpu + taken.milliCpu <= offered.milliCpu
                && memory + taken.memory <= offered.memory
                && pods + taken.pods <= offered.pods;
    }

    Room plus(Room other) {
        return new Room(milliCpu + other.milliCpu, memory + other.memory, pods + other.pods);
    }

    Room times(int factor) {
        return new Room(milliCpu * factor, memory * factor, pods * factor);
    }

    private static Room of(JsonObject resources) {
        return new Room(
                quantity(resources, "cpu").milliValue(),
                quantity(resources, "memory").value(),
                quantity(resources, "pods").value());
    }

    private static Quantity quantity(JsonObject resources, String name) {
        String text = Trees.text(resources, name);
        return text.isEmpty() ? Quantity.ZERO : Quantity.parse(text);
    }
}
