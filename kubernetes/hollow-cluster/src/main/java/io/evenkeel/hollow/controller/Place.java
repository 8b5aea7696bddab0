package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.Comparator;
import java.util.List;

/**
 * The place of a volume or a claim among all that look for each other.
 *
 * @param shelf what must be equal on both sides
 * @param modes the access modes, sorted: a volume has all that a claim asks for, and perhaps more
 * @param size what a volume holds, or a claim asks for at least
 */
record Place(Shelf shelf, List<String> modes, Quantity size) {

    /** Fewest modes first: a volume that can do more is spared for those who need it. */
    static final Comparator<List<String>> FEWEST_MODES =
            Comparator.<List<String>>comparingInt(List::size).thenComparing(List::toString);

    /** @param attributesClass the name of a VolumeAttributesClass; empty for none, as is the StorageClass's */
    record Shelf(String storageClass, String volumeMode, String attributesClass) {}

    Place {
        modes = List.copyOf(modes);
    }

    static Place of(JsonObject spec, Quantity size) {
        Shelf shelf = new Shelf(
                Trees.text(spec, "storageClassName"),
                Trees.text(spec, "volumeMode"),
                Trees.text(spec, "volumeAttributesClassName"));
        return new Place(
                shelf, Trees.texts(spec, "accessModes").stream().sorted().toList(), size);
    }

    /** Whether a volume here can be had by a claim there. */
    boolean serves(Place claim) {
        return shelf.storageClass.equals(claim.shelf.storageClass) && holds(claim);
    }

    /** Whether a volume here is what a claim there needs, whatever their StorageClasses. */
    boolean holds(Place claim) {
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
