package io.evenkeel.world.check;

/** Something happened that must not. */
public final class Violation extends RuntimeException {
    public Violation(String what) {
        super(what);
    }
}
