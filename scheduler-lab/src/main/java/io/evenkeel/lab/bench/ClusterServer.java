package io.evenkeel.lab.bench;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.HollowObjects.BoundPods;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.bench.SchedulerProcess.ThisProgram;
import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.UserProblem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code evenkeel bench-cluster}, the other process of {@code bench --end-to-end}: an API server with the workload's nodes,
 * that creates and deletes pods as it is told, line by line: {@code create FROM TO}, {@code delete FROM TO}. It answers each with a line when it is done, and ends with its input. Of
 * {@code bound COUNT} it is done when so many have been bound since its start, or none was for a minute: it says how many.
 */
@Command(name = "bench-cluster", hidden = true)
final class ClusterServer implements Callable<Integer> {
    static final String READY = "ready ";
    static final String DONE = "done";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Mixin
    private BenchCaseOptions options = new BenchCaseOptions();

    @Option(names = "--kubeconfig", required = true)
    private Path kubeconfig = Path.of("");

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(options.workload() instanceof Workload own)) {
            throw options.mistake("there is no server for " + options.workload().id());
        }
        BenchCase benchCase = options.caseOf(own);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        try (HollowCluster cluster = HollowCluster.start()) {
            WorkloadCluster.objects(benchCase)
                    .forEach(object -> cluster.objects().create(Manifests.of(object)));
            cluster.writeKubeconfig(kubeconfig);
            BoundPods bound = cluster.objects().countBound();
            List<Pod> pods = WorkloadPods.of(benchCase);
            out.println(READY + cluster.url());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("bound")) {
                    out.println(DONE + " " + bound.await(Integer.parseInt(words[1]), PATIENCE));
                } else {
                    carryOut(
                            words[0],
                            pods.subList(Integer.parseInt(words[1]), Integer.parseInt(words[2])),
                            cluster.objects());
                    out.println(DONE);
                }
            }
        }
        return 0;
    }

    private static void carryOut(String order, List<Pod> pods, HollowObjects objects) {
        if (order.equals("create")) {
            pods.forEach(pod -> objects.create(Manifests.of(pod)));
        } else {
            pods.forEach(pod -> objects.deleteNow(ResourceTable.PODS, pod.namespace(), pod.name()));
        }
    }

    /** Writes the objects of the bench's workloads as a user would create them: what no workload has is not written. */
    private static final class Manifests {
        private Manifests() {}

        static String of(KubernetesObject object) {
            Tree tree = new Tree()
                    .put("apiVersion", "v1")
                    .put("kind", object.kindName())
                    .put(
                            "metadata",
                            new Tree()
                                    .put("name", object.meta().name())
                                    .putNonEmpty("namespace", object.meta().namespace())
                                    .put("labels", object.meta().labels().asMap()));
            switch (object) {
                case Pod pod -> tree.put("spec", spec(pod));
                case Node node -> {
                    Tree capacity = quantities(node.allocatable());
                    tree.put("status", new Tree().put("capacity", capacity).put("allocatable", capacity));
                }
                case Service service ->
                    tree.put(
                            "spec",
                            new Tree()
                                    .put("selector", service.selector().asMap())
                                    .put("ports", List.of(new Tree().put("port", 80))));
                default -> throw new IllegalArgumentException("no workload has a " + object.kindName());
            }
            return tree.json();
        }

        private static Tree spec(Pod pod) {
            Tree affinity = new Tree();
            putTerms(affinity, "podAffinity", pod.spec().podAffinity().requiredAffinity());
            putTerms(affinity, "podAntiAffinity", pod.spec().podAffinity().requiredAntiAffinity());
            return new Tree()
                    .put("schedulerName", pod.spec().schedulerName())
                    .putNonEmpty("nodeName", pod.spec().nodeName())
                    .put("containers", pod.spec().containers(), Manifests::container)
                    .put("topologySpreadConstraints", pod.spec().topologySpread(), Manifests::constraint)
                    .put("affinity", affinity);
        }

        private static Tree container(Container container) {
            return new Tree()
                    .put("name", "main")
                    .put("image", "registry.k8s.io/pause:3.10")
                    .put("resources", new Tree().put("requests", quantities(container.requests())));
        }

        private static Tree constraint(TopologySpreadConstraint constraint) {
            return new Tree()
                    .put("maxSkew", constraint.maxSkew())
                    .put("topologyKey", constraint.topologyKey())
                    .put("whenUnsatisfiable", constraint.whenUnsatisfiable().apiName())
                    .put("labelSelector", selector(constraint.labelSelector()));
        }

        private static void putTerms(Tree affinity, String field, List<PodAffinityTerm> terms) {
            if (!terms.isEmpty()) {
                affinity.put(
                        field,
                        new Tree().put("requiredDuringSchedulingIgnoredDuringExecution", terms, Manifests::term));
            }
        }

        private static Tree term(PodAffinityTerm term) {
            return new Tree()
                    .put("topologyKey", term.topologyKey())
                    .put("labelSelector", selector(term.labelSelector()));
        }

        private static Tree selector(LabelSelector selector) {
            Tree labels = new Tree();
            selector.requirements()
                    .forEach(each -> labels.put(each.key(), each.values().getFirst()));
            return new Tree().put("matchLabels", labels);
        }

        private static Tree quantities(Map<String, Quantity> quantities) {
            Tree tree = new Tree();
            quantities.forEach(tree::put);
            return tree;
        }
    }

    /** {@link ClusterServer} in a process of its own, seen from the bench. */
    static final class ClusterProcess implements AutoCloseable {
        private final Process process;
        private final Path kubeconfig;
        private final BufferedReader answers;
        private final PrintWriter orders;

        private ClusterProcess(Process process, Path kubeconfig) {
            this.process = process;
            this.kubeconfig = kubeconfig;
            this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            this.orders =
                    new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
        }

        /** Returns when the server is there with all its nodes. */
        static ClusterProcess start(BenchCase benchCase) throws IOException {
            Path kubeconfig = Files.createTempFile("evenkeel-bench", ".kubeconfig");
            List<String> command = new ArrayList<>(ThisProgram.COMMAND);
            command.addAll(List.of(
                    "bench-cluster",
                    "--workload=" + benchCase.workload().id(),
                    "--nodes=" + benchCase.nodes(),
                    "--pods=" + benchCase.pods(),
                    "--zones=" + benchCase.zones(),
                    "--groups=" + benchCase.groups(),
                    "--seed=" + benchCase.seed(),
                    "--kubeconfig=" + kubeconfig));
            ClusterProcess cluster = new ClusterProcess(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start(),
                    kubeconfig);
            cluster.expect(ClusterServer.READY);
            return cluster;
        }

        Path kubeconfig() {
            return kubeconfig;
        }

        /** Returns when all these pods have been created. */
        void create(int from, int to) throws IOException {
            orders.println("create " + from + " " + to);
            expect(ClusterServer.DONE);
        }

        /** Returns when all these pods are gone. */
        void delete(int from, int to) throws IOException {
            orders.println("delete " + from + " " + to);
            expect(ClusterServer.DONE);
        }

        /** Returns when so many pods have been bound since the cluster's start. */
        void awaitBound(int pods) throws IOException {
            orders.println("bound " + pods);
            int bound = Integer.parseInt(expect(ClusterServer.DONE).strip());
            if (bound < pods) {
                throw new UserProblem("no pod was bound for a minute; " + bound + " of " + pods + " are");
            }
        }

        /** Returns the rest of the answer, after that. */
        private String expect(String answer) throws IOException {
            String line = answers.readLine();
            if (line == null || !line.startsWith(answer)) {
                throw new UserProblem("the cluster's process said " + line + " instead of " + answer);
            }
            return line.substring(answer.length());
        }

        @Override
        public void close() throws IOException {
            orders.close();
            process.destroy();
            Files.deleteIfExists(kubeconfig);
        }
    }
}
