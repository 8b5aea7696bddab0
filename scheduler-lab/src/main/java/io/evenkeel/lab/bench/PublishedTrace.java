package io.evenkeel.lab.bench;

import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The nodes and pods of a published trace of a GPU cluster by kind and number, as proof/benchmarks/trace.sh counts them. GPUs are an
 * extended resource, a thousandth of one at a time: which of a node's GPUs a part is of is not told.
 */
final class PublishedTrace {
    private static final String MODEL = "example.com/gpu-model";
    private static final String GPU = "example.com/gpu-milli";

    /** Has no divisor in common with the number of pods, so that going on by it comes by each once, in mixed order. */
    private static final long STRIDE = 5_003;

    private static final PublishedTrace GPUS = read("trace-gpu.csv");

    private final List<Kind> nodes;
    private final List<Kind> pods;

    /** @param models of GPUs: the one that a node has, those that a pod may have */
    private record Kind(String cpu, String memory, String gpus, List<String> models) {}

    private PublishedTrace(List<Kind> nodes, List<Kind> pods) {
        this.nodes = nodes;
        this.pods = pods;
    }

    static PublishedTrace ofGpus() {
        return GPUS;
    }

    int nodes() {
        return nodes.size();
    }

    int pods() {
        return pods.size();
    }

    /** Of each kind as large a share as the trace has. */
    NodeBuilder withAmounts(NodeBuilder node, int index, int count) {
        Kind kind = nodes.get((int) ((long) index * nodes.size() / count));
        kind.models.forEach(model -> node.label(MODEL, model));
        return node.allocatable(
                "cpu",
                kind.cpu,
                "memory",
                kind.memory,
                GPU,
                kind.gpus,
                "pods",
                Integer.toString(WorkloadCluster.MOST_PODS_ON_A_NODE));
    }

    /** The pods of the trace in mixed order, again and again. */
    void request(PodBuilder pod, int index) {
        Kind kind = pods.get((int) (index * STRIDE % pods.size()));
        if (kind.gpus.equals("0")) {
            pod.container("cpu", kind.cpu, "memory", kind.memory);
        } else {
            pod.container("cpu", kind.cpu, "memory", kind.memory, GPU, kind.gpus);
        }
        if (!kind.models.isEmpty()) {
            pod.nodeAffinity(new NodeAffinity(
                    Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                            List.of(new NodeSelectorRequirement(
                                    MODEL, NodeSelectorRequirement.Operator.IN, kind.models)),
                            List.of())))),
                    List.of()));
        }
    }

    private static PublishedTrace read(String file) {
        List<Kind> nodes = new ArrayList<>();
        List<Kind> pods = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(PublishedTrace.class.getResourceAsStream(file), file),
                StandardCharsets.UTF_8))) {
            lines.lines().skip(1).forEach(line -> {
                String[] fields = line.split(",", -1);
                Kind kind = new Kind(
                        fields[2] + "m",
                        fields[3] + "Mi",
                        fields[4],
                        fields[5].isEmpty() ? List.of() : List.of(fields[5].split("\\|")));
                for (int i = Integer.parseInt(fields[1]); i > 0; i--) {
                    (fields[0].equals("node") ? nodes : pods).add(kind);
                }
            });
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return new PublishedTrace(nodes, pods);
    }
}
