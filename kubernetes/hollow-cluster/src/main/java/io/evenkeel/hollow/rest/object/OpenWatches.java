package io.evenkeel.hollow.rest.object;

import io.evenkeel.hollow.encoding.Encoding;
import io.evenkeel.hollow.fault.Faults;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.request.ApiReply;
import io.evenkeel.hollow.rest.request.ApiRequest;
import io.evenkeel.hollow.rest.request.ObjectWriter;
import io.evenkeel.hollow.store.Snapshot;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
}
