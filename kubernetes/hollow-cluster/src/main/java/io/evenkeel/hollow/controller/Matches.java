package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which volume a claim gets and which claim a volume. Both go by the stock, so that a thousand claims and a thousand volumes
 * find each other without each looking at all others; only selectors are tried one by one.
 */
final class Matches {

    private final VolumeIndex volumes = VolumeIndex.volumes();
    private final VolumeIndex claims = VolumeIndex.claims();

    VolumeIndex volumes() {
        return volumes;
    }

    VolumeIndex claims() {
        return claims;
    }

    /** The volume that was set apart for a claim, if it is large enough and of the right kind; its class does not matter. */
    Optional<Volume> setApartFor(Claim claim) {
        return volumes.referringTo(claim.key()).stream()
                .flatMap(key -> volumes.get(key).stream())
                .map(Volume::new)
                .filter(volume ->
                        volume.claim().filter(each -> each.means(claim)).isPresent())
                .filter(volume -> !volume.isGoing() && volume.terms().holds(claim.terms()))
                .findFirst();
    }

    /** The smallest free volume that serves a claim. */
    Optional<Volume> smallestFor(Claim claim) {
        return volumes.open()
                .serving(claim.terms())
                .flatMap(key -> volumes.get(key).stream())
                .map(Volume::new)
                .filter(claim::selects)
                .findFirst();
    }

    /** The largest waiting claim that a volume serves, if the volume is free. */
    Optional<ObjectKey> claimFor(Volume volume) {
        return volumes.get(volume.object().key()).flatMap(known -> new Volume(known).freeTerms()).stream()
                .flatMap(claims.open()::servedBy)
                .flatMap(key -> claims.get(key).stream())
                .map(Claim::new)
                .filter(claim -> claim.selects(volume))
                .map(Claim::key)
                .findFirst();
    }

    /** The claims of a StorageClass that wait for a volume. */
    List<ObjectKey> waitingFor(String storageClass) {
        return claims.open().of(storageClass);
    }

    /**
     * The volumes, or the claims, by key, by what they refer to, and the ones open to anyone by their terms. It hears of
     * changes in rounds and of the controller's own writes at once, so that a volume given away in a round is not given away
     * again in it: an older version never takes the place of a newer one. Each update costs O(log n).
     */
    static final class VolumeIndex {

        private final Map<ObjectKey, StoredObject> byKey = new LinkedHashMap<>();
        private final Map<ObjectKey, SequencedSet<ObjectKey>> referring = new LinkedHashMap<>();
        private final FreeVolumes open = new FreeVolumes();
        private final Function<StoredObject, Optional<ObjectKey>> reference;
        private final Function<StoredObject, Optional<MatchTerms>> openTerms;

        private VolumeIndex(
                Function<StoredObject, Optional<ObjectKey>> reference,
                Function<StoredObject, Optional<MatchTerms>> openTerms) {
            this.reference = reference;
            this.openTerms = openTerms;
        }

        static VolumeIndex volumes() {
            return new VolumeIndex(object -> new Volume(object).claimKey(), object -> new Volume(object).freeTerms());
        }

        static VolumeIndex claims() {
            return new VolumeIndex(object -> new Claim(object).volumeKey(), object -> new Claim(object).waitingTerms());
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
            openTerms.apply(object).ifPresent(terms -> open.put(object.key(), terms));
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

        FreeVolumes open() {
            return open;
        }

        /**
         * The volumes still to be had, or claims still looking: shelf by shelf, by access modes, by size. Putting, removing and
         * finding the first that suits cost O(log n) for each combination of access modes on the shelf; there are only a few.
         */
        static final class FreeVolumes {

            private static final Comparator<Item> BY_SIZE = Comparator.comparing(Item::size)
                    .thenComparing(item -> item.key().namespace())
                    .thenComparing(item -> item.key().name());

            private final Map<ObjectKey, MatchTerms> termsOf = new LinkedHashMap<>();
            private final Map<MatchTerms.Shelf, NavigableMap<List<String>, NavigableSet<Item>>> shelves =
                    new LinkedHashMap<>();

            private record Item(Quantity size, ObjectKey key) {}

            /** Puts something on the shelf of its terms, wherever it was before. */
            void put(ObjectKey key, MatchTerms terms) {
                if (terms.equals(termsOf.get(key))) {
                    return;
                }
                remove(key);
                termsOf.put(key, terms);
                shelves.computeIfAbsent(terms.shelf(), _ -> new TreeMap<>(MatchTerms.FEWEST_MODES))
                        .computeIfAbsent(terms.modes(), _ -> new TreeSet<>(BY_SIZE))
                        .add(new Item(terms.size(), key));
            }

            void remove(ObjectKey key) {
                @Nullable MatchTerms terms = termsOf.remove(key);
                if (terms == null) {
                    return;
                }
                shelves.computeIfPresent(terms.shelf(), (_, byModes) -> {
                    byModes.computeIfPresent(terms.modes(), (_, items) -> {
                        items.remove(new Item(terms.size(), key));
                        return items.isEmpty() ? null : items;
                    });
                    return byModes.isEmpty() ? null : byModes;
                });
            }

            /** The volumes that serve a claim: those with the fewest access modes first, of these the smallest. */
            Stream<ObjectKey> serving(MatchTerms claim) {
                return on(claim.shelf()).entrySet().stream()
                        .filter(entry -> entry.getKey().containsAll(claim.modes()))
                        .flatMap(entry -> entry.getValue().tailSet(smallest(claim.size()), true).stream())
                        .map(Item::key);
            }

            /** The claims that a volume serves: first those with the most access modes, of these those with the most room. */
            Stream<ObjectKey> servedBy(MatchTerms volume) {
                return on(volume.shelf()).descendingMap().entrySet().stream()
                        .filter(entry -> volume.modes().containsAll(entry.getKey()))
                        .flatMap(entry ->
                                entry.getValue().descendingSet().tailSet(largest(volume.size()), true).stream())
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

            private NavigableMap<List<String>, NavigableSet<Item>> on(MatchTerms.Shelf shelf) {
                return shelves.getOrDefault(shelf, new TreeMap<>(MatchTerms.FEWEST_MODES));
            }

            private static Item smallest(Quantity size) {
                return new Item(size, new ObjectKey("", "", ""));
            }

            private static Item largest(Quantity size) {
                return new Item(size, new ObjectKey("", "\uffff", ""));
            }
        }
    }

    /**
     * The terms by which a volume and a claim find each other.
     *
     * @param shelf what must be equal on both sides
     * @param modes the access modes, sorted: a volume has all that a claim asks for, and perhaps more
     * @param size what a volume holds, or a claim asks for at least
     */
    record MatchTerms(Shelf shelf, List<String> modes, Quantity size) {

        /** Fewest modes first: a volume that can do more is spared for those who need it. */
        static final Comparator<List<String>> FEWEST_MODES =
                Comparator.<List<String>>comparingInt(List::size).thenComparing(List::toString);

        /** @param attributesClass the name of a VolumeAttributesClass; empty for none, as is the StorageClass's */
        record Shelf(String storageClass, String volumeMode, String attributesClass) {}

        MatchTerms {
            modes = List.copyOf(modes);
        }

        static MatchTerms of(JsonObject spec, Quantity size) {
            Shelf shelf = new Shelf(
                    Trees.text(spec, "storageClassName"),
                    Trees.text(spec, "volumeMode"),
                    Trees.text(spec, "volumeAttributesClassName"));
            return new MatchTerms(
                    shelf, Trees.texts(spec, "accessModes").stream().sorted().toList(), size);
        }

        /** Whether a volume here can be had by a claim there. */
        boolean serves(MatchTerms claim) {
            return shelf.storageClass.equals(claim.shelf.storageClass) && holds(claim);
        }

        /** Whether a volume here is what a claim there needs, whatever their StorageClasses. */
        boolean holds(MatchTerms claim) {
            return shelf.volumeMode.equals(claim.shelf.volumeMode)
                    && shelf.attributesClass.equals(claim.shelf.attributesClass)
                    && modes.containsAll(claim.modes)
                    && size.compareTo(claim.size) >= 0;
        }

        static Quantity quantity(JsonObject amounts, String... path) {
            String text = Trees.text(amounts, path);
            return text.isEmpty() ? Quantity.ZERO : Quantity.parse(text);
        }
    }
}
