package io.evenkeel.world.net;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.StoreApi.Request;
import io.evenkeel.hollow.StoreApi.Words;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.Store.CompactedException;
import io.evenkeel.hollow.store.Store.Snapshot;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.world.life.Garbling;
import io.evenkeel.world.play.Agenda;
import io.evenkeel.world.play.SimulatedProcess;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One of the API servers, with its own cache of each kind, which hears of changes later than they are made. Lists of "any
 * version" and watches are answered from the cache, so that who goes from one server to another may travel back in time.
 */
public final class Front {
    private final Agenda agenda;
    private final Weather weather;
    private final Servers servers;
    private final boolean streamsLists;
    private final Map<String, Long> caches = new HashMap<>();
    /** What those caches would have heard of that stand still. */
    private final Map<String, Long> frozen = new HashMap<>();

    private final List<OpenWatch> open = new ArrayList<>();
    private long silentUntil;
    /** Who hears of it when the next list of a kind breaks off. */
    private final Map<String, Consumer<JsonObject>> cuts = new HashMap<>();

    public Front(Agenda agenda, Weather weather, Servers servers, boolean streamsLists) {
        this.agenda = agenda;
        this.weather = weather;
        this.servers = servers;
        this.streamsLists = streamsLists;
        servers.store().observe(change -> {
            String table = change.object().key().table();
            long version = change.version();
            agenda.after(weather.lag(), () -> heard(table, version));
        });
    }

    private void heard(String table, long version) {
        if (frozen.containsKey(table)) {
            frozen.merge(table, version, Math::max);
            return;
        }
        caches.merge(table, version, Math::max);
        List.copyOf(open).stream()
                .filter(watch -> watch.type.storage().equals(table))
                .forEach(OpenWatch::send);
    }

    /** Lets the cache of a kind stand still. */
    public void freeze(ResourceType type) {
        frozen.putIfAbsent(type.storage(), cache(type));
    }

    /** Lets all caches catch up. */
    public void thaw() {
        Map<String, Long> missed = Map.copyOf(frozen);
        frozen.clear();
        new TreeMap<>(missed).forEach(this::heard);
    }

    /** Ends all watches, and opens none for a while. */
    public void beSilent(long nanos) {
        silentUntil = Math.max(silentUntil, agenda.now() + nanos);
        closeWatches();
    }

    /** Ends all watches, as when the server is restarted. */
    public void closeWatches() {
        List.copyOf(open).forEach(OpenWatch::end);
    }

    /** The next list of this kind breaks off after some of what there is, and then this is told the last that it has named. */
    public void cutNextList(ResourceType type, Consumer<JsonObject> then) {
        cuts.put(type.storage(), then);
    }

    private long cache(ResourceType type) {
        return caches.getOrDefault(type.storage(), 0L);
    }

    ApiAnswer open(SimulatedProcess process, ApiCall call) {
        Request request = Servers.request(call);
        ResourceType type = request.type();
        boolean watches = request.isTrue("watch");
        // by 404 a server says that it has no such kind, which is believed of those that are defined in a cluster; and
        // of devices other versions are asked for, which these servers do not know
        boolean mayBeAbsent = type.group().equals(Kinds.PLACEMENT_POLICY.group())
                || type.group().equals(Kinds.RESOURCE_CLAIM.group());
        Optional<Reply> refusal = refusal().filter(reply -> reply.code() != 404 || !mayBeAbsent);
        if (watches && agenda.now() < silentUntil) {
            refusal = Optional.of(Reply.refusal(503, "ServiceUnavailable", 0));
        }
        if (refusal.isPresent()) {
            return whole(process, refusal.get());
        }
        return watches ? watch(process, request, type) : list(process, request, type);
    }

    private Optional<Reply> refusal() {
        return switch (weather.fate(false, false)) {
            case ANSWERED -> Optional.empty();
            case REFUSED_429 -> Optional.of(Reply.refusal(429, "TooManyRequests", weather.retryAfterSeconds()));
            case FORBIDDEN -> Optional.of(Refusals.of(weather));
            case GARBLED -> Optional.of(Reply.page(200));
            case BAD_GATEWAY -> Optional.of(Reply.page(502));
            default -> Optional.of(Reply.refusal(503, "ServiceUnavailable", 0));
        };
    }

    private ApiAnswer list(SimulatedProcess process, Request request, ResourceType type) {
        boolean anyVersion = request.text("resourceVersion").equals("0");
        return whole(process, servers.answer(anyVersion ? request.at(Math.max(1, cache(type))) : request));
    }

    private Arrival whole(SimulatedProcess process, Reply reply) {
        Arrival arrival = new Arrival(process, reply.code(), reply.contentType(), reply.retryAfterSeconds(), () -> {});
        byte[] body = reply.body();
        if (weather.cuts()) {
            arrival.came(Arrays.copyOf(body, weather.cutAt(body.length)));
            arrival.breakOff();
        } else {
            arrival.came(body);
            arrival.end();
        }
        return arrival;
    }

    private ApiAnswer watch(SimulatedProcess process, Request request, ResourceType type) {
        boolean initial = request.isTrue("sendInitialEvents");
        if (initial && !streamsLists) {
            return whole(process, Reply.refusal(422, "Invalid", 0));
        }
        Store store = servers.store();
        OpenWatch watch = new OpenWatch(process, request, type);
        long since = request.number("resourceVersion").orElse(0L);
        if (initial && frozen.containsKey(type.storage())) {
            return whole(process, Reply.refusal(504, "Timeout", 1));
        }
        if (initial) {
            // of the newest: the cache is waited for
            heard(type.storage(), store.version());
            watch.sendAll();
        } else if (since < store.oldestVersion(type.storage())) {
            return whole(process, Reply.refusal(410, "Expired", 0));
        } else {
            watch.sent = since;
        }
        open.add(watch);
        long seconds = request.number("timeoutSeconds").orElse(1_800L);
        agenda.after(TimeUnit.SECONDS.toNanos(seconds), watch::end);
        agenda.after(0, watch::send);
        return watch.arrival;
    }

    /** A watch: up to which version it has been told, and the way to its reader. */
    private final class OpenWatch {
        private final SimulatedProcess process;
        private final ResourceType type;
        private final Words words;
        private final Arrival arrival;
        private long sent;
        private long arrives;
        private boolean broken;

        private OpenWatch(SimulatedProcess process, Request request, ResourceType type) {
            this.process = process;
            this.type = type;
            words = servers.words(request);
            arrival = new Arrival(process, 200, words.contentType(), 0, () -> open.remove(this));
        }

        private void sendAll() {
            Snapshot all = servers.store().list(type.storage(), "");
            List<StoredObject> selected =
                    all.objects().stream().filter(words::selects).toList();
            sent = all.version();
            if (!selected.isEmpty() && cuts.containsKey(type.storage())) {
                sendSome(selected, cuts.remove(type.storage()));
                return;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            selected.forEach(object -> out.writeBytes(event("ADDED", object)));
            out.writeBytes(bookmark(all.version(), true));
            say(out.toByteArray());
        }

        private void sendSome(List<StoredObject> all, Consumer<JsonObject> then) {
            StoredObject last = weather.from(all);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            all.subList(0, all.indexOf(last) + 1).forEach(object -> out.writeBytes(event("ADDED", object)));
            say(out.toByteArray());
            broken = true;
            process.at(arrives, arrival::breakOff);
            then.accept(last.tree());
        }

        private void send() {
            long cached = cache(type);
            if (!open.contains(this) || cached <= sent) {
                return;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try {
                for (Change change : servers.store()
                        .changesAfter(sent, type.storage(), 0, () -> true)
                        .changes()) {
                    if (change.version() <= cached) {
                        change.seenBy(words::selects).ifPresent(event -> {
                            byte[] bytes = event(event.type().name(), event.object());
                            out.writeBytes(bytes);
                            if (weather.repeats()) {
                                out.writeBytes(bytes);
                            }
                            long stall = weather.stall();
                            if (stall > 0) {
                                say(out.toByteArray());
                                out.reset();
                                arrives += stall;
                            }
                        });
                    }
                }
                sent = cached;
                if (weather.bookmarks()) {
                    out.writeBytes(bookmark(sent, false));
                }
                say(out.toByteArray());
            } catch (CompactedException forgotten) {
                say(words.error(Reply.refusal(410, "Expired", 0).body()));
                end();
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        /** Bytes come in the order in which they were sent, however late. */
        private void say(byte[] bytes) {
            if (broken) {
                return;
            }
            arrives = Math.max(arrives, agenda.now() + weather.latency());
            if (weather.cuts()) {
                byte[] part = Arrays.copyOf(bytes, weather.cutAt(bytes.length));
                broken = true;
                process.at(arrives, () -> {
                    arrival.came(part);
                    arrival.breakOff();
                });
                open.remove(this);
            } else {
                process.at(arrives, () -> arrival.came(bytes));
            }
        }

        private void end() {
            if (open.remove(this)) {
                arrives = Math.max(arrives, agenda.now());
                process.at(arrives, arrival::end);
            }
        }

        private byte[] event(String name, StoredObject object) {
            return Garbling.sent(words.event(name, object));
        }

        private byte[] bookmark(long version, boolean endsInitialEvents) {
            return words.bookmark(version, endsInitialEvents);
        }
    }
}
