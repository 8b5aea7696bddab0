package io.evenkeel.app.live;

import io.evenkeel.app.dump.Anonymised;
import io.evenkeel.app.dump.DumpHeader;
import io.evenkeel.app.dump.DumpWriter;
import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Endpoint;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.StreamedReply;
import io.evenkeel.cluster.KnownObjects;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * What a live scheduler knows of the cluster, as a dump that simulate takes, without a question to the API server; with {@code
 * ?anonymise=true} without names. The objects are gathered between two pods, and written while they are sent, to one reader at a time.
 */
final class CacheDump implements Endpoint {
    private static final String TYPE = "application/x-ndjson";
    private static final int OBJECTS_AT_A_STRETCH = 100;
    private static final long PATIENCE_SECONDS = 60;

    private final LiveScheduler live;
    private final String version;
    private final Semaphore turn = new Semaphore(1, true);

    CacheDump(LiveScheduler live, String version) {
        this.live = live;
        this.version = version;
    }

    @Override
    public Answer answer(Request request) {
        boolean anonymise = request.values("anonymise").contains("true");
        return new StreamedReply(TYPE, out -> writeInTurn(anonymise, out));
    }

    private void writeInTurn(boolean anonymise, OutputStream out) throws IOException {
        try {
            if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("too many read dumps at once");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        try {
            write(anonymise, out);
        } finally {
            turn.release();
        }
    }

    private void write(boolean anonymise, OutputStream out) throws IOException {
        Map<String, String> leftOut = new TreeMap<>();
        List<Kind<?>> kinds = new ArrayList<>();
        for (Kind<?> kind : live.kinds()) {
            ObjectWriter.unwritable(kind)
                    .ifPresentOrElse(
                            field -> leftOut.put(kind.name(), "its plugin does not say how " + field + " is written"),
                            () -> kinds.add(kind));
        }
        List<KubernetesObject> objects = LiveDumps.answer(live, scheduler -> known(scheduler, kinds));
        DumpHeader header = new DumpHeader(
                "evenkeel " + version,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                anonymise ? "" : "cache",
                anonymise,
                leftOut);
        UnaryOperator<String> lines = anonymise ? new Anonymised(objects) : UnaryOperator.identity();
        new DumpWriter(Kinds.of(kinds), inStretches(lines))
                .write(header, objects, new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8)));
    }

    /** A copy of the list, as large as the cluster; the objects do not change. */
    private static List<KubernetesObject> known(Scheduler scheduler, List<Kind<?>> kinds) {
        KnownObjects known = new KnownObjects(scheduler.cluster());
        List<KubernetesObject> all = new ArrayList<>();
        for (Kind<?> kind : kinds) {
            all.addAll(kind.equals(Kinds.POD) ? pods(scheduler) : known.all(kind.name()));
        }
        return all;
    }

    /** Those on their way to a node are on it, as the scheduler counts them there. */
    private static List<Pod> pods(Scheduler scheduler) {
        Map<String, String> expected = new HashMap<>();
        scheduler.onTheirWay().forEach(pod -> expected.put(pod.pod().key(), pod.node()));
        return scheduler.pods().stream()
                .map(pod -> pod.isPlaced() || !expected.containsKey(pod.key())
                        ? pod
                        : PodBuilder.from(pod)
                                .nodeName(expected.getOrDefault(pod.key(), ""))
                                .build())
                .toList();
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
