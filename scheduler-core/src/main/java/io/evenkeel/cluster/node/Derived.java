package io.evenkeel.cluster.node;

import java.util.function.IntFunction;

/** Something that is derived from nodes and kept up to date with them. */
public sealed interface Derived permits DerivedMask, DerivedColumn, DerivedGroups, NodeRanking {
    /** Empty where what is kept equals what working it out again gives. */
    String differenceFromRecount();

    /** All that is kept, as text. */
    String description(IntFunction<String> nameOf);
}
