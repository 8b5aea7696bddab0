package io.evenkeel.hollow;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.Change.EventType;
import io.evenkeel.hollow.store.Change.WatchEvent;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.Store.Batch;
import io.evenkeel.hollow.store.Store.CompactedException;
import io.evenkeel.hollow.store.Store.Snapshot;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Starts watches, and ends all that run when told to. */
final class OpenWatches {

    private static final long LONGEST_SECONDS = 1800;

    private final Store store;
    private final ObjectWriter writer;
    private final Faults faults;
    private final Duration bookmarkInterval;
    private final boolean watchListOffered;
    private final AtomicInteger generation = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    OpenWatches(Store store, ObjectWriter writer, Faults faults, Duration bookmarkInterval, boolean watchListOffered) {
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
                object -> (namespace.isEmpty() || object.namespace().equals(namespace))
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

    void closeAll() {
        generation.incrementAndGet();
        store.wake();
    }

    int open() {
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
    private record WatchStream(
            Store store,
            ObjectWriter writer,
            Faults faults,
            Encoding encoding,
            ResourceType type,
            Predicate<StoredObject> selected,
            OutputStream out) {
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

    /**
     * When a watch ends and when it next says how far it is: every so often, and two seconds before it ends, so that the
     * client goes on from a recent version.
     */
    private static final class WatchTimes {

        private static final long BEFORE_END = TimeUnit.SECONDS.toNanos(2);

        private final long end;
        private final long interval;
        private long nextBookmark;
        private boolean lastSent;

        private WatchTimes(long now, long end, long interval) {
            this.end = end;
            this.interval = interval;
            this.lastSent = end - BEFORE_END <= now;
            this.nextBookmark = now + interval;
        }

        /** Starts now; an interval of zero means no bookmarks. */
        static WatchTimes start(long timeoutSeconds, Duration bookmarkInterval) {
            long now = System.nanoTime();
            return new WatchTimes(now, now + TimeUnit.SECONDS.toNanos(timeoutSeconds), bookmarkInterval.toNanos());
        }

        boolean isOver() {
            return System.nanoTime() - end >= 0;
        }

        /** Nanoseconds until something is due. */
        long untilNext() {
            long now = System.nanoTime();
            long left = end - now;
            if (interval > 0) {
                left = Math.min(left, nextBookmark - now);
                if (!lastSent) {
                    left = Math.min(left, end - BEFORE_END - now);
                }
            }
            return Math.max(left, 0);
        }

        /** Whether a bookmark is due; if so, it is taken as sent. */
        boolean takeBookmark() {
            long now = System.nanoTime();
            if (interval == 0 || now - end >= 0) {
                return false;
            }
            boolean last = !lastSent && now - (end - BEFORE_END) >= 0;
            if (!last && now - nextBookmark < 0) {
                return false;
            }
            lastSent |= last;
            nextBookmark = now + interval;
            return true;
        }
    }

    /** The event of a watch that says up to which version all has been told. */
    static final class Bookmark {
        private Bookmark() {}

        /**
         * The bookmark as it is sent.
         *
         * @param endOfInitialEvents whether all that was there has been told by now, and changes follow
         */
        static byte[] frame(Encoding encoding, ResourceType type, long version, boolean endOfInitialEvents) {
            JsonObject metadata = Trees.of("resourceVersion", Long.toString(version));
            if (endOfInitialEvents) {
                metadata.add("annotations", Trees.of("k8s.io/initial-events-end", "true"));
            }
            JsonObject tree = Trees.of("metadata", metadata);
            if (type.equals(ResourceTable.PODS)) {
                // an empty pod as a real server writes it
                tree.add("spec", Trees.of("containers", JsonNull.INSTANCE));
                tree.add("status", new JsonObject());
            }
            byte[] object = encoding.object(type.typeMeta(), encoding.body(type.typeMeta(), tree));
            return encoding.event(EventType.BOOKMARK.name(), object);
        }
    }
}
