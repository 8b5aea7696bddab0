package io.evenkeel.world.exhaustive;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.read.ObjectReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Objects read from their JSON as the scheduler reads them, each text once: a million worlds have few different ones. */
final class Readings {
    private static final Map<String, KubernetesObject> READ = new ConcurrentHashMap<>();

    private Readings() {}

    static KubernetesObject of(String json) {
        return READ.computeIfAbsent(json, text -> new ObjectReader().read(text));
    }
}
