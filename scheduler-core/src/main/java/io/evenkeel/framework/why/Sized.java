package io.evenkeel.framework.why;

/** What can be greater or smaller of its kind, so that the smallest can be looked for. */
public interface Sized {

    /** How far it is from what there is now, in the smallest steps there are: at least 1. */
    long size();

    /** The same, but of this size. */
    Change ofSize(long size);
}
