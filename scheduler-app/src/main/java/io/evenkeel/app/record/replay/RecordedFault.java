package io.evenkeel.app.record.replay;

import io.evenkeel.app.record.format.Entry;

/** Says what was thrown in the run, in its words. */
final class RecordedFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String text;

    RecordedFault(Entry.NotSent why) {
        super(why.message().orElse(null));
        text = why.text();
    }

    /** Of whatever class it was then. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return text;
    }
}
