package io.evenkeel.app.record;

import java.util.function.LongSupplier;

/** How much has been recorded; any thread may read it. */
public record RecordCounts(LongSupplier events, LongSupplier bytes, LongSupplier lost) {
    /** Of a run that is not recorded. */
    public static final RecordCounts NONE = new RecordCounts(() -> 0, () -> 0, () -> 0);
}
