package io.evenkeel.plugins.preemption;

/** The cost of letting pods go from a node, as far as nodes are compared by that. */
interface Harm {

    /** How many of the victims have a budget that is used up. */
    long violations();

    int victimCount();

    int highestPriority();

    /** Of all victims, each made positive, so that more of them are a greater sum. */
    long prioritySum();

    /** Of the victims of highest priority, when the first of them started. */
    String earliestStart();
}
