package io.evenkeel.app.metrics;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes.Endpoint;
import io.evenkeel.cluster.shape.PodRequests.SpecifiedResources;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Requests and limits of each pod, a line for each of its resources. For 150,000 pods that is some 100 MB, so it is written
 * while it is sent, from pods that do not change. Writing is all computing: two answers are written at a time, and they let
 * other requests in between, so that a health probe does not wait for many readers.
 */
final class PodResourcesEndpoint implements Endpoint {
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final int AT_A_TIME = 2;
    private static final int PODS_AT_A_STRETCH = 100;

    /** Longer than Prometheus waits, even where clients read slowly; then the answer breaks off. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Supplier<Optional<List<Pod>>> pods;
    private final Semaphore turns = new Semaphore(AT_A_TIME, true);

    /** Only the leader shows pods, so that none is counted twice; {@code pods} is empty on other replicas. */
    PodResourcesEndpoint(Supplier<Optional<List<Pod>>> pods) {
        this.pods = pods;
    }

    @Override
    public Answer answer(Request request) {
        return pods.get()
                .<Answer>map(all -> new StreamedReply(TYPE, out -> writeInTurn(all, out)))
                .orElseGet(() -> Reply.of(200, TYPE, ""));
    }

    private void writeInTurn(List<Pod> pods, OutputStream stream) throws IOException {
        awaitTurn();
        try {
            write(pods, stream);
        } finally {
            turns.release();
        }
    }

    private void awaitTurn() throws IOException {
        try {
            if (!turns.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("too many read the resources of pods at once");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    private static void write(List<Pod> pods, OutputStream stream) throws IOException {
        Writer out = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
        writeFamily("kube_pod_resource_limit", "Resources limit for workloads", pods, SpecifiedResources::limits, out);
        writeFamily(
                "kube_pod_resource_request",
                "Resources requested by workloads",
                pods,
                SpecifiedResources::requests,
                out);
        out.flush();
    }

    @SuppressWarnings("ThreadPriorityCheck") // fairness to other requests, not correctness, hangs on the yield
    private static void writeFamily(
            String name, String what, List<Pod> pods, Function<Pod, Map<String, Quantity>> amounts, Writer out)
            throws IOException {
        out.write("# HELP " + name + " [STABLE] " + what
                + " on the cluster, broken down by pod. This shows the resource usage"
                + " the scheduler and kubelet expect per pod for resources along with"
                + " the unit for the resource if any.\n");
        out.write("# TYPE " + name + " gauge\n");
        int written = 0;
        for (Pod pod : pods) {
            if (++written % PODS_AT_A_STRETCH == 0) {
                Thread.yield(); // nothing else takes a core from a virtual thread that computes
            }
            for (Map.Entry<String, Quantity> amount : new TreeMap<>(amounts.apply(pod)).entrySet()) {
                if (amount.getValue().signum() != 0) {
                    writeSeries(name, pod, amount.getKey(), amount.getValue(), out);
                }
            }
        }
    }

    private static void writeSeries(String name, Pod pod, String resource, Quantity amount, Writer out)
            throws IOException {
        out.write(name);
        out.write("{namespace=\"");
        out.write(escaped(pod.namespace()));
        out.write("\",node=\"");
        out.write(escaped(pod.spec().nodeName()));
        out.write("\",pod=\"");
        out.write(escaped(pod.name()));
        out.write("\",priority=\"");
        out.write(Integer.toString(pod.spec().priority()));
        out.write("\",resource=\"");
        out.write(escaped(resource));
        out.write("\",scheduler=\"");
        out.write(escaped(pod.spec().schedulerName()));
        out.write("\",unit=\"");
        out.write(unit(resource));
        out.write("\"} ");
        out.write(Double.toString(amount.doubleValue()));
        out.write('\n');
    }

    private static String unit(String resource) {
        return switch (resource) {
            case "cpu" -> "cores";
            case "memory", "storage", "ephemeral-storage" -> "bytes";
            default ->
                resource.startsWith("hugepages-")
                        ? "bytes"
                        : resource.startsWith("attachable-volumes-") ? "integer" : "";
        };
    }

    private static String escaped(String value) {
        boolean plain = value.indexOf('"') < 0 && value.indexOf('\\') < 0 && value.indexOf('\n') < 0;
        return plain ? value : value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
