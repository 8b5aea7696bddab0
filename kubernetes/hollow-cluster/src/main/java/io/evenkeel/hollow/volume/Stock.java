package io.evenkeel.hollow.volume;

import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.model.value.Quantity;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The volumes still to be had, or claims still looking: shelf by shelf, by access modes, by size. Putting, removing and
 * finding the first that suits cost O(log n) for each combination of access modes on the shelf; there are only a few.
 */
final class Stock {

    private static final Comparator<Item> BY_SIZE = Comparator.comparing(Item::size)
            .thenComparing(item -> item.key().namespace())
            .thenComparing(item -> item.key().name());

    private final Map<ObjectKey, Place> places = new LinkedHashMap<>();
    private final Map<Place.Shelf, NavigableMap<List<String>, NavigableSet<Item>>> shelves = new LinkedHashMap<>();

    private record Item(Quantity size, ObjectKey key) {}

    /** Puts something in its place, wherever it was before. */
    void put(ObjectKey key, Place place) {
        if (place.equals(places.get(key))) {
            return;
        }
        remove(key);
        places.put(key, place);
        shelves.computeIfAbsent(place.shelf(), _ -> new TreeMap<>(Place.FEWEST_MODES))
                .computeIfAbsent(place.modes(), _ -> new TreeSet<>(BY_SIZE))
                .add(new Item(place.size(), key));
    }

    void remove(ObjectKey key) {
        @Nullable Place place = places.remove(key);
        if (place == null) {
            return;
        }
        shelves.computeIfPresent(place.shelf(), (_, byModes) -> {
            byModes.computeIfPresent(place.modes(), (_, items) -> {
                items.remove(new Item(place.size(), key));
                return items.isEmpty() ? null : items;
            });
            return byModes.isEmpty() ? null : byModes;
        });
    }

    /** The volumes that serve a claim: those with the fewest access modes first, of these the smallest. */
    Stream<ObjectKey> serving(Place claim) {
        return on(claim.shelf()).entrySet().stream()
                .filter(entry -> entry.getKey().containsAll(claim.modes()))
                .flatMap(entry -> entry.getValue().tailSet(smallest(claim.size()), true).stream())
                .map(Item::key);
    }

    /** The claims that a volume serves: first those with the most access modes, of these those with the most room. */
    Stream<ObjectKey> servedBy(Place volume) {
        return on(volume.shelf()).descendingMap().entrySet().stream()
                .filter(entry -> volume.modes().containsAll(entry.getKey()))
                .flatMap(entry -> entry.getValue().descendingSet().tailSet(largest(volume.size()), true).stream())
                .map(Item::key);
    }

    /** All of a StorageClass. */
    List<ObjectKey> of(String storageClass) {
        return shelves.entrySet().stream()
                .filter(shelf -> shelf.getKey().storageClass().equals(storageClass))
                .flatMap(shelf -> shelf.getValue().values().stream())
                .flatMap(NavigableSet::stream)
                .map(Item::key)
                .toList();
    }

    private NavigableMap<List<String>, NavigableSet<Item>> on(Place.Shelf shelf) {
        return shelves.getOrDefault(shelf, new TreeMap<>(Place.FEWEST_MODES));
    }

    private static Item smallest(Quantity size) {
        return new Item(size, new ObjectKey("", "", ""));
    }

    private static Item largest(Quantity size) {
        return new Item(size, new ObjectKey("", "\uffff", ""));
    }
}
