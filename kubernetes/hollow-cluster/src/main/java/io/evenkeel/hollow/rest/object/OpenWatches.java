package io.evenkeel.hollow.rest.object;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.encoding.Encoding;
import io.evenkeel.hollow.fault.Faults;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.request.ApiReply;
import io.evenkeel.hollow.rest.request.ApiRequest;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Starts watches, and ends all that run when told to. */
public final class OpenWatches {

    private static final long LONGEST_SECONDS = 1800;

    private final Store store;
    private final ObjectWriter writer;
    private final Faults faults;
    private final Duration bookmarkInterval;
    private final boolean watchListOffered;
    private final AtomicInteger generation = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    public OpenWatches(
            Store store, ObjectWriter writer, Faults faults, Duration bookmarkInterval, boolean watchListOffered) {
        this.store = store;
        this.writer = writer;
        this.faults = faults;
        this.bookmarkInterval = bookmarkInterval;
        this.watchListOffered = watchListOffered;
    }

    ApiReply watch(ApiRequest request, ResourceType type, String namespace, ListOptions options) {
        options.checkForWatch(watchListOffered);
        Encoding encoding = writer.choose(request, type.typeMeta());
        boolean fromNowhere =
                options.resourceVersion().isEmpty() || options.resourceVersion().equals("0");
        boolean initial = options.sendInitialEvents().orElse(fromNowhere);
        Predicate<StoredObject> selected =
                object -> (namespace.isEmpty() || object.key().namespace().equals(namespace))
                        && options.selector().matches(object.tree());
        Snapshot start = initial
                ? snapshot(type, namespace, options, selected)
                : new Snapshot(fromNowhere ? store.version() : options.version(), List.of());
        boolean marksEnd = initial && options.sendInitialEvents().isPresent() && options.bookmarks();
        int started = generation.get();
        WatchTimes times = WatchTimes.start(
                options.timeoutSeconds().filter(seconds -> seconds > 0).orElse(LONGEST_SECONDS),
                options.bookmarks() ? bookmarkInterval : Duration.ZERO);
        return ApiReply.stream(encoding.watchContentType(), out -> {
            open.incrementAndGet();
            try {
                new WatchStream(store, writer, faults, encoding, type, selected, out)
                        .run(start, marksEnd, times, () -> generation.get() != started);
            } finally {
                open.decrementAndGet();
            }
        });
    }

    /** Ends the watches that run now. */
    public void closeAll() {
        generation.incrementAndGet();
        store.wake();
    }

    /** How many watches run. */
    public int open() {
        return open.get();
    }

    private Snapshot snapshot(
            ResourceType type, String namespace, ListOptions options, Predicate<StoredObject> selected) {
        Snapshot all = store.list(type.storage(), namespace);
        if (options.version() > all.version()) {
            throw Refusals.tooLargeVersion(options.version(), all.version());
        }
        return new Snapshot(
                all.version(), all.objects().stream().filter(selected).toList());
    }

    /** Writes one watch: what is there at first, then what happens, until its time is up or the client ends it. */
    private static final class WatchStream {

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
}
