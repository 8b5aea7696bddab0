package io.evenkeel.hollow.volume;

import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The volumes, or the claims, by key, by what they refer to, and the ones open to anyone by their place. It hears of
 * changes in rounds and of the controller's own writes at once, so that a volume given away in a round is not given away
 * again in it: an older version never takes the place of a newer one. Each update costs O(log n).
 */
final class Known {

    private final Map<ObjectKey, StoredObject> byKey = new LinkedHashMap<>();
    private final Map<ObjectKey, SequencedSet<ObjectKey>> referring = new LinkedHashMap<>();
    private final Stock open = new Stock();
    private final Function<StoredObject, Optional<ObjectKey>> reference;
    private final Function<StoredObject, Optional<Place>> openPlace;

    private Known(
            Function<StoredObject, Optional<ObjectKey>> reference, Function<StoredObject, Optional<Place>> openPlace) {
        this.reference = reference;
        this.openPlace = openPlace;
    }

    static Known volumes() {
        return new Known(object -> new Volume(object).claimKey(), object -> new Volume(object).freePlace());
    }

    static Known claims() {
        return new Known(object -> new Claim(object).volumeKey(), object -> new Claim(object).waitingPlace());
    }

    void follow(Change change) {
        if (change instanceof Change.Deleted) {
            @Nullable StoredObject known = byKey.get(change.object().key());
            if (known != null && known.version() < change.version()) {
                forget(known);
            }
        } else {
            see(change.object());
        }
    }

    void see(StoredObject object) {
        @Nullable StoredObject known = byKey.get(object.key());
        if (known != null && known.version() >= object.version()) {
            return;
        }
        if (known != null) {
            forget(known);
        }
        byKey.put(object.key(), object);
        reference
                .apply(object)
                .ifPresent(target -> referring
                        .computeIfAbsent(target, _ -> new LinkedHashSet<>())
                        .add(object.key()));
        openPlace.apply(object).ifPresent(place -> open.put(object.key(), place));
    }

    private void forget(StoredObject object) {
        byKey.remove(object.key());
        open.remove(object.key());
        reference
                .apply(object)
                .ifPresent(target -> referring.computeIfPresent(target, (_, keys) -> {
                    keys.remove(object.key());
                    return keys.isEmpty() ? null : keys;
                }));
    }

    Optional<StoredObject> get(ObjectKey key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** The objects that refer to this one, the first to do so first. */
    List<ObjectKey> referringTo(ObjectKey target) {
        return List.copyOf(referring.getOrDefault(target, new LinkedHashSet<>()));
    }

    Stock open() {
        return open;
    }
}
