package io.evenkeel.policies.status;

import java.util.Comparator;

/** A domain of a label of nodes. */
record Place(String topologyKey, String domain) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::topologyKey).thenComparing(Place::domain);

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }
}
