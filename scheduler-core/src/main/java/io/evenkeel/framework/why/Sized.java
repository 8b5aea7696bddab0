package io.evenkeel.framework.why;

/** A change that can be greater or smaller, so that the smallest can be looked for. */
public interface Sized {

    /** How far it is from what there is now, in the smallest steps there are: at least 1. */
    long size();

    /** The same, but of this size. */
    Change ofSize(long size);
}
