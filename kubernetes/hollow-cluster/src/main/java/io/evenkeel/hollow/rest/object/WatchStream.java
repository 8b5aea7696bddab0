package io.evenkeel.hollow.rest.object;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.encoding.Encoding;
import io.evenkeel.hollow.fault.Faults;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.request.ObjectWriter;
import io.evenkeel.hollow.store.Batch;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.CompactedException;
import io.evenkeel.hollow.store.EventType;
import io.evenkeel.hollow.store.Snapshot;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.hollow.store.WatchEvent;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Writes one watch: what is there at first, then what happens, until its time is up or the client ends it. */
final class WatchStream {

    private final Store store;
    private final ObjectWriter writer;
    private final Faults faults;
    private final Encoding encoding;
    private final ResourceType type;
    private final Predicate<StoredObject> selected;
    private final OutputStream out;

    WatchStream(
            Store store,
            ObjectWriter writer,
            Faults faults,
            Encoding encoding,
            ResourceType type,
            Predicate<StoredObject> selected,
            OutputStream out) {
        this.store = store;
        this.writer = writer;
        this.faults = faults;
        this.encoding = encoding;
        this.type = type;
        this.selected = selected;
        this.out = out;
    }

    void run(Snapshot start, boolean marksEnd, WatchTimes times, BooleanSupplier cancelled)
            throws IOException, InterruptedException {
        for (StoredObject object : start.objects()) {
            write(new WatchEvent(EventType.ADDED, object));
        }
        if (marksEnd) {
            bookmark(start.version(), true);
        }
        out.flush(); // the headers too, so that the client knows the watch stands
        long seen = start.version();
        while (!times.isOver() && !cancelled.getAsBoolean()) {
            Batch batch;
            try {
                batch = store.changesAfter(seen, type.storage(), times.untilNext(), cancelled);
            } catch (CompactedException e) {
                error(e);
                return;
            }
            for (Change change : batch.changes()) {
                Optional<WatchEvent> event = change.seenBy(selected);
                if (event.isPresent()) {
                    for (int copies = faults.copiesOfEvent(); copies > 0; copies--) {
                        write(event.get());
                    }
                }
            }
            seen = batch.version();
            if (times.takeBookmark()) {
                bookmark(seen, false);
            }
            out.flush();
        }
    }

    private void write(WatchEvent event) throws IOException {
        out.write(encoding.event(event.type().name(), writer.whole(encoding, type, event.object())));
    }

    private void bookmark(long version, boolean endOfInitialEvents) throws IOException {
        out.write(Bookmark.frame(encoding, type, version, endOfInitialEvents));
    }

    private void error(CompactedException compacted) throws IOException {
        JsonObject status =
                Refusals.tooOld(compacted.asked(), compacted.oldest()).status();
        byte[] object = encoding.object(TypeMeta.STATUS, encoding.body(TypeMeta.STATUS, status));
        out.write(encoding.event(EventType.ERROR.name(), object));
        out.flush();
    }
}
