package io.evenkeel.tools.dump;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Parameters;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live scheduler's knowledge of the cluster, as a dump that simulate takes, without a question to the API server; with {@code
 * ?anonymise=true} without names. The objects are gathered between two pods before the answer begins, and written while they are
 * sent: to one reader at a time, for so long and no longer, as what is held of them is as large as the cluster.
 */
public final class CacheDump implements Companion {
    private static final Logger log = LoggerFactory.getLogger(CacheDump.class);
    private static final Parameters PARAMETERS = Parameters.oneOf("anonymise", "true", "false");
    private static final String TYPE = "application/x-ndjson";
    private static final int OBJECTS_AT_A_STRETCH = 100;
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final long TO_COME_AGAIN_SECONDS = 10;

    private final String version;
    private final LongSupplier clock;
    private final Semaphore turn = new Semaphore(1);
    private Optional<Surroundings> surroundings = Optional.empty();

    CacheDump(String version, LongSupplier clock) {
        this.version = version;
        this.clock = clock;
    }

    /** The dump of what a live scheduler of this version knows. */
    public static Companion of(String version) {
        return new CacheDump(version, System::nanoTime);
    }

    /** Of every scheduler that {@code run} starts. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            return List.of(of(setup.version()));
        }
    }

    /**
     * The engine's part of the dump.
     *
     * @param onTheirWay the nodes of pods that are on their way there, by their keys
     */
    private record Known(List<KubernetesObject> objects, Map<String, String> onTheirWay) {
        /** Pods on their way to a node are on it, as the scheduler counts them there. */
        List<KubernetesObject> placed() {
            List<KubernetesObject> placed = new ArrayList<>(objects.size());
            objects.forEach(object -> placed.add(object instanceof Pod pod && !pod.isPlaced() ? placed(pod) : object));
            return placed;
        }

        private Pod placed(Pod pod) {
            String node = onTheirWay.getOrDefault(pod.key(), "");
            return node.isEmpty() ? pod : PodBuilder.from(pod).nodeName(node).build();
        }
    }

    @Override
    public void begin(Surroundings around) {
        surroundings = Optional.of(around);
    }

    @Override
    public void addTo(Routes routes) {
        routes.add("/debug/dump", this::answer);
    }

    Answer answer(Request request) {
        Surroundings live = surroundings.orElseThrow();
        Optional<String> mistake = PARAMETERS.problem(request);
        if (mistake.isPresent()) { // or names would be told that somebody did not want to be
            return ErrorStatus.badRequest(mistake.get());
        }
        if (!live.isSynced()) {
            return ErrorStatus.unavailable("the cluster is not known yet: caches are not synced");
        }
        if (!turn.tryAcquire()) {
            return ErrorStatus.tooMany("another dump is being read, and there is one at a time", TO_COME_AGAIN_SECONDS);
        }
        boolean isBegun = false;
        try {
            StreamedReply reply = begun(live, request.values("anonymise").contains("true"));
            isBegun = true;
            return reply;
        } catch (IllegalStateException noAnswer) {
            return ErrorStatus.unavailable(String.valueOf(noAnswer.getMessage()));
        } finally {
            if (!isBegun) {
                turn.release();
            }
        }
    }

    private StreamedReply begun(Surroundings live, boolean anonymise) {
        Map<String, String> leftOut = new TreeMap<>();
        List<Kind<?>> kinds = new ArrayList<>();
        for (Kind<?> kind : live.kinds()) {
            ObjectWriter.unwritable(kind)
                    .ifPresentOrElse(
                            field -> leftOut.put(kind.name(), "its plugin does not say how " + field + " is written"),
                            () -> kinds.add(kind));
        }
        Known known = live.answer(scheduler -> known(scheduler, kinds));
        Dump.Header header = Dump.Header.now(version, "cache", anonymise, leftOut);
        return new StreamedReply(
                TYPE, out -> write(header, known.placed(), Kinds.of(kinds), bounded(out)), turn::release);
    }

    private static void write(Dump.Header header, List<KubernetesObject> objects, Kinds kinds, OutputStream out)
            throws IOException {
        UnaryOperator<String> lines = header.anonymised() ? new Anonymised(kinds, objects) : UnaryOperator.identity();
        Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        Dump.write(header, objects, kinds, inStretches(lines), text);
    }

    /** A client that takes nothing is cut off by the server; this is for one that takes a little now and then. */
    private OutputStream bounded(OutputStream out) {
        long end = clock.getAsLong() + LONGEST.toNanos();
        return new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (clock.getAsLong() - end > 0) {
                    log.warn("Dump broken off, as its reader took more than 5 minutes");
                    throw new IOException("the reader is too slow");
                }
                out.write(bytes, offset, length);
            }
        };
    }

    /** On the engine's thread: a copy of the list, as large as the cluster; the objects do not change. */
    private static Known known(Scheduler scheduler, List<Kind<?>> kinds) {
        Map<String, String> onTheirWay = new HashMap<>();
        scheduler.onTheirWay().forEach(pod -> onTheirWay.put(pod.pod().key(), pod.node()));
        return new Known(scheduler.known(kinds), onTheirWay);
    }

    /** Nothing else takes a core from a virtual thread that computes. */
    @SuppressWarnings("ThreadPriorityCheck") // fairness to other requests, not correctness, hangs on the yield
    private static UnaryOperator<String> inStretches(UnaryOperator<String> lines) {
        int[] written = new int[1];
        return line -> {
            if (++written[0] % OBJECTS_AT_A_STRETCH == 0) {
                Thread.yield();
            }
            return lines.apply(line);
        };
    }
}
