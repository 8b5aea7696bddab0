package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Stage.ApiUser;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kinds;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A story's cluster: nodes that are there for this story only, and a namespace. Everything else happens through the API,
 * as a user would do it.
 */
final class Scene {
    private static final Capacity USUAL = Capacity.of("4", "16Gi", 110);
    private static final Pattern NODE = Pattern.compile("([\\w-]+)\\[([^]]*)]");

    private final Stage stage;
    private final Progress progress;
    private final String namespace;
    private final List<String> nodes = new ArrayList<>();

    Scene(Stage stage, Progress progress, String namespace) {
        this.stage = stage;
        this.progress = progress;
        this.namespace = namespace;
    }

    /** In a namespace of its own. */
    static Scene inNew(String namespace, Stage stage, Progress progress) {
        Scene scene = new Scene(stage, progress, namespace);
        scene.user().create("", """
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s}
                """.formatted(namespace));
        return scene;
    }

    String namespace() {
        return namespace;
    }

    Stage stage() {
        return stage;
    }

    /** Nodes by zone and the pods that stand on them from the start: {@code "zone-a: node1[web-1] node2[] | zone-b: …"}. */
    void draw(String drawing) throws InterruptedException {
        int pods = 0;
        for (String zone : drawing.split("\\|", -1)) {
            String zoneName = zone.substring(0, zone.indexOf(':')).strip();
            Matcher node = NODE.matcher(zone);
            while (node.find()) {
                add(node.group(1), zoneName, USUAL);
                for (String pod : node.group(2).split(" ", -1)) {
                    if (!pod.isEmpty()) {
                        create(Manifest.pod(pod, "nodeName: " + node.group(1) + "\n"));
                        pods++;
                    }
                }
            }
        }
        awaitNodes();
        int drawn = pods;
        await("the pods that are there already", cluster -> cluster.hasPlaced(drawn));
    }

    void join(String name, String zone, Capacity capacity) throws InterruptedException {
        add(name, zone, capacity);
        awaitNodes();
    }

    void join(String name, String zone) throws InterruptedException {
        join(name, zone, USUAL);
    }

    /** {@code kubectl taint nodes …:NoSchedule}. */
    void taint(String node, String key, String value) throws InterruptedException {
        closeNode(node, """
                {"spec":{"taints":[{"key":"%s","value":"%s","effect":"NoSchedule"}]}}""".formatted(key, value));
    }

    /** {@code kubectl cordon}. */
    void cordon(String node) throws InterruptedException {
        closeNode(node, """
                {"spec":{"unschedulable":true}}""");
    }

    /** A cordoned node has a taint, too, by the node controller. */
    private void closeNode(String node, String patch) throws InterruptedException {
        user().patch(ResourceTable.NODES, "", node, patch);
        await(
                "the taint on " + node,
                cluster -> cluster.nodes().stream()
                        .anyMatch(each ->
                                each.name().equals(node) && !each.taints().isEmpty()));
        awaitNodes();
    }

    /** {@code kubectl drain}, of pods that something makes again: the next goes once the one before it is on another node. */
    void drain(String node) throws InterruptedException {
        cordon(node);
        int all = cluster().pods().size();
        for (Pod pod : cluster().pods()) {
            if (pod.spec().nodeName().equals(node)) {
                user().delete(ResourceTable.PODS, namespace, pod.name());
                await(
                        "another for " + pod.name(),
                        cluster -> cluster.hasPlaced(all)
                                && cluster.pods().stream()
                                        .noneMatch(each -> each.name().equals(pod.name())));
            }
        }
    }

    /** {@code kubectl uncordon}. */
    void uncordon(String node) throws InterruptedException {
        user().patch(ResourceTable.NODES, "", node, """
                {"spec":{"unschedulable":null}}""");
        await(
                "no taint on " + node,
                cluster -> cluster.nodes().stream()
                        .anyMatch(each ->
                                each.name().equals(node) && each.taints().isEmpty()));
        awaitNodes();
    }

    void create(Manifest manifest) {
        user().create(namespace, manifest.yaml());
    }

    /**
     * A Service of an app's pods. Returns when the scheduler knows it: by another watch than the pods, so a pod that comes
     * right behind it might be decided without it.
     */
    void createService(String app) throws InterruptedException {
        user().create(namespace, """
                apiVersion: v1
                kind: Service
                metadata: {name: %s}
                spec:
                  selector: {app: %s}
                  ports:
                  - port: 80
                """.formatted(app, app));
        stage.awaitScheduler(
                "Service " + app,
                cluster -> cluster.objects()
                        .find(Kinds.SERVICE, namespace + "/" + app)
                        .isPresent());
    }

    /** {@code kubectl set image}. */
    void setImage(String deployment, String image) {
        user().patch(ResourceTable.DEPLOYMENTS, namespace, deployment, """
                {"spec":{"template":{"spec":{"containers":[{"name":"main","image":"%s"}]}}}}""".formatted(image));
    }

    /** {@code kubectl scale}. */
    void scale(String deployment, int replicas) {
        user().patch(ResourceTable.DEPLOYMENTS, namespace, deployment, """
                {"spec":{"replicas":%d}}""".formatted(replicas));
    }

    /** {@code kubectl patch node --type=json}, by a change that {@code why} has named. */
    void changeNode(JsonObject change) {
        String name = Trees.text(change, "object").replace("Node/", "");
        user().patchByOperations(
                        ResourceTable.NODES,
                        "",
                        name,
                        Trees.array(change, "patch").orElseThrow().toString());
    }

    /** The output of a command that reads the cluster, in lines no longer than that. */
    String text(Command command, int width) {
        return command.text(stage.kubeconfig(), width);
    }

    JsonObject json(Command command) {
        return command.json(stage.kubeconfig());
    }

    /** The cluster as the API shows it now. */
    Cluster cluster() {
        return stage.view().of(namespace);
    }

    /** Waits until the API shows what is wanted. */
    Cluster await(String what, Predicate<Cluster> wanted) throws InterruptedException {
        try {
            return stage.view()
                    .await(namespace, wanted, stage.patience(), progress::show)
                    .orElseThrow(() -> notSeen(what));
        } finally {
            progress.clear();
        }
    }

    private NotAsToldException notSeen(String what) {
        return new NotAsToldException("%s: not within %s; seen instead: %s"
                .formatted(what, GoDuration.format(stage.patience()), cluster().sentence()));
    }

    ApiUser user() {
        return stage.user();
    }

    private void add(String name, String zone, Capacity capacity) {
        stage.world().nodes().add(name, zone, capacity);
        nodes.add(name);
    }

    private void awaitNodes() throws InterruptedException {
        Cluster seen = await(
                "all nodes",
                cluster -> cluster.nodes().stream()
                        .map(Node::name)
                        .collect(Collectors.toSet())
                        .equals(Set.copyOf(nodes)));
        stage.awaitSchedulerKnows(seen.nodes());
    }

    void strike() throws InterruptedException {
        user().delete(ResourceTable.NAMESPACES, "", namespace);
        await("no pods", cluster -> cluster.pods().isEmpty());
        nodes.forEach(node -> user().delete(ResourceTable.NODES, "", node));
        nodes.clear();
        awaitNodes();
    }

    /** A line that shows how pods come in, on a terminal that can take it back; elsewhere nothing. */
    static final class Progress {
        private static final int WIDEST = 40;
        private static final int BESIDE = " 1000 of 1000 pods have a node".length() + Page.MARGIN.length() + 1;
        private static final String BACK_AND_ERASE = "\r\u001b[K";

        private final Page page;
        private final PrintWriter out;
        private String shown = "";

        Progress(Page page) {
            this.page = page;
            this.out = page.out();
        }

        void show(Cluster cluster) {
            int width = Math.min(WIDEST, page.width() - BESIDE);
            if (page.palette() == Palette.PLAIN || width <= 0 || cluster.pods().isEmpty()) {
                return;
            }
            int pods = cluster.pods().size();
            int placed = pods - cluster.waiting().size();
            int full = width * placed / pods;
            String line =
                    "█".repeat(full) + "░".repeat(width - full) + " " + placed + " of " + pods + " pods have a node";
            if (!line.equals(shown)) {
                out.print(BACK_AND_ERASE + Page.MARGIN + line);
                out.flush();
                shown = line;
            }
        }

        void clear() {
            if (!shown.isEmpty()) {
                out.print(BACK_AND_ERASE);
                out.flush();
                shown = "";
            }
        }
    }

    /**
     * A command that a user types beside the cluster.
     *
     * @param kubeconfig the flag that takes the cluster's kubeconfig
     * @param words what else is typed
     */
    record Command(String kubeconfig, List<String> words) {
        private static final int SHORTEST = 55;
        private static final String TO_JSON = "--output=json";

        static Command of(String kubeconfig, String... words) {
            return new Command(kubeconfig, List.of(words));
        }

        /** As it is typed; which cluster is meant is said by the environment. */
        String typed() {
            return "./evenkeel " + String.join(" ", words);
        }

        /** The output, in lines for people: as short as that, but not shorter than it can. */
        String text(Path cluster, int width) {
            return out(cluster, Math.max(width, SHORTEST), List.of());
        }

        /** The output for programs. */
        JsonObject json(Path cluster) {
            return Trees.parse(out(cluster, SHORTEST, List.of(TO_JSON)));
        }

        private String out(Path cluster, int width, List<String> more) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            List<String> all = new ArrayList<>(words);
            all.addAll(List.of(kubeconfig, cluster.toString()));
            all.addAll(more);
            int exitCode = Evenkeel.commandLine()
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(err, true))
                    .setUsageHelpWidth(width)
                    .execute(all.toArray(String[]::new));
            if (exitCode != 0) {
                throw new NotAsToldException(
                        typed() + " failed: " + err.toString().strip());
            }
            return out.toString().replace("kubectl " + kubeconfig + "=" + cluster, "kubectl");
        }
    }
}
