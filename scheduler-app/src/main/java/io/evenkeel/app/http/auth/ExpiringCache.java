package io.evenkeel.app.http.auth;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Remembers answers for a while; when it is full, the oldest goes. */
final class ExpiringCache<K, V> {
    private record Entry<V>(V value, Instant until) {}

    private final int capacity;
    private final InstantSource clock;
    private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

    ExpiringCache(int capacity, InstantSource clock) {
        this.capacity = capacity;
        this.clock = clock;
    }

    synchronized Optional<V> get(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (!clock.instant().isBefore(entry.until)) {
            entries.remove(key);
            return Optional.empty();
        }
        return Optional.of(entry.value);
    }

    synchronized void put(K key, V value, Duration lifetime) {
        entries.remove(key);
        if (entries.size() >= capacity) {
            Iterator<K> oldest = entries.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        entries.put(key, new Entry<>(value, clock.instant().plus(lifetime)));
    }

    synchronized int size() {
        return entries.size();
    }
}
