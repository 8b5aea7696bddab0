package io.evenkeel.world.exhaustive;

/** Something that may happen next. */
record Step(String what, Runnable happens, boolean isFault) {
    static Step of(String what, Runnable happens) {
        return new Step(what, happens, false);
    }

    static Step fault(String what, Runnable happens) {
        return new Step(what, happens, true);
    }
}
