package io.evenkeel.cluster;

/** Something that is derived from nodes and kept up to date with them. */
sealed interface Derived permits DerivedMask, DerivedColumn, DerivedGroups {
    /** Empty where what is kept equals what working it out anew gives. */
    String differenceFromRecount();
}
