package io.evenkeel.tools.drain;

import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.app.option.Converters.PodKey;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.plan.ClusterOptions;
import io.evenkeel.tools.replay.ScenarioCluster;
import io.evenkeel.tools.simulate.LabelledNodes;
import io.evenkeel.tools.simulate.ManifestFiles;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.Verdict.Refused;
import io.evenkeel.whatif.drain.Capacity;
import io.evenkeel.whatif.drain.Capacity.Headroom;
import io.evenkeel.whatif.drain.Capacity.Loss;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkeel capacity}. */
@Command(
        name = "capacity",
        description = {
            "Says which pods a loss of nodes leaves without a place.",
            "Pods of lost nodes are placed again by the scheduler's own rules, nobody is preempted, and what runs out first is"
                    + " told; also for how many more pods there is room. simulate --lose tells of one loss in full. Nothing is"
                    + " written to the cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  evenkeel capacity --lose-each zone",
            "  evenkeel capacity --dump cluster.dump.gz --lose zone=a --like shop/web-0"
        },
        mixinStandardHelpOptions = true)
public final class CapacityCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--lose",
            paramLabel = "LABEL=VALUE",
            description = "Lose the nodes with this label at once; zone, region and node stand for the usual labels."
                    + " May be given several times: each is a loss of its own")
    private List<String> losses = List.of();

    @Option(
            names = "--lose-each",
            paramLabel = "LABEL",
            converter = Name.class,
            description =
                    "Lose the nodes of each value of the label in turn: zone for each zone, node for each node (N+1)")
    private List<String> eachOf = List.of();

    @Option(
            names = "--template",
            paramLabel = "FILE",
            description = "A manifest of a Pod: how many more of it fit, now and after each loss")
    private Optional<Path> template = Optional.empty();

    @Option(
            names = "--like",
            paramLabel = "NAMESPACE/POD",
            converter = PodKey.class,
            description = "The same of a pod that there is")
    private Optional<String> like = Optional.empty();

    @Option(
            names = "--most",
            paramLabel = "N",
            description = "Count no more pods of the template than that (default: ${DEFAULT-VALUE})")
    private int most = 100_000;

    @Mixin
    private ClusterOptions clusters = new ClusterOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (template.isPresent() && like.isPresent()) {
            throw new ParameterException(spec.commandLine(), "--template, --like: one of these");
        }
        if (losses.isEmpty() && eachOf.isEmpty() && template.isEmpty() && like.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--lose, --lose-each, --template, --like: at least one of these");
        }
        losses.stream().filter(loss -> !loss.matches("[^=]+=.*")).findFirst().ifPresent(loss -> {
            throw new ParameterException(spec.commandLine(), "--lose: expected LABEL=VALUE, got \"" + loss + '"');
        });
        if (most < 1) {
            throw new ParameterException(spec.commandLine(), "--most: must be at least 1");
        }
        Optional<Pod> made = template.map(CapacityCommand::read);
        return clusters.answer(cluster -> answer(cluster, made));
    }

    private static Pod read(Path file) {
        var manifests = ManifestFiles.read(List.of(file), "default", _ -> {});
        if (manifests.size() != 1) {
            throw new UserProblem("--template " + file + ": expected one Pod, got " + manifests.size() + " objects");
        }
        return manifests.getFirst().as(Kinds.POD);
    }

    private CapacityReport answer(ScenarioCluster cluster, Optional<Pod> made) {
        ClusterSnapshot snapshot = cluster.snapshot();
        Optional<Pod> pod = made.or(() -> like.map(key -> snapshot.view()
                .pod(key)
                .orElseThrow(() -> new UserProblem("--like " + key + ": there is no such pod on a node"
                        + NearestName.hint(
                                key, snapshot.pods().stream().map(Pod::key).toList())))));
        List<Node> nodes = snapshot.nodes();
        List<CapacityReport.Line> lines = Stream.concat(
                        losses.stream()
                                .map(loss -> loss.split("=", 2))
                                .map(loss -> LabelledNodes.find(nodes, "--lose", loss[0], loss[1])),
                        eachOf.stream().flatMap(key -> LabelledNodes.each(nodes, "--lose-each", key).stream()))
                .map(lost -> line(snapshot, lost, pod))
                .toList();
        return new CapacityReport(
                cluster.name(), lines, pod.map(Pod::key), pod.map(each -> Capacity.headroom(snapshot, each, most)));
    }

    private CapacityReport.Line line(ClusterSnapshot snapshot, LabelledNodes lost, Optional<Pod> pod) {
        List<String> names = lost.nodes().stream().map(Node::name).toList();
        return new CapacityReport.Line(
                lost.title(),
                Capacity.lose(snapshot, names),
                pod.map(each -> Capacity.headroomWithout(snapshot, names, each, most)));
    }

    /**
     * What there is room for.
     *
     * @param template that the headroom is of
     */
    private record CapacityReport(
            String name, List<Line> losses, Optional<String> template, Optional<Headroom> headroom) implements Report {

        /** @param headroom that is left after it */
        record Line(String lost, Loss loss, Optional<Headroom> headroom) {}

        @Override
        public Tree tree() {
            Tree tree = new Tree().put("name", name);
            if (!losses.isEmpty()) {
                tree.put("losses", losses, CapacityReport::tree);
            }
            headroom.ifPresent(room -> tree.put("headroom", tree(room).put("template", template.orElse(""))));
            return tree;
        }

        private static Tree tree(Line line) {
            Tree tree = new Tree()
                    .put("lost", line.lost())
                    .put("nodes", line.loss().nodes().size())
                    .put("placed", line.loss().placed())
                    .put("waiting", line.loss().waiting(), CapacityReport::tree)
                    .putNonEmpty("gone", line.loss().gone(), Pod::key)
                    .putPresent("runsOut", line.loss().runsOut());
            line.headroom().ifPresent(room -> tree.put("headroom", tree(room)));
            return tree;
        }

        private static Tree tree(Refused waiting) {
            return new Tree().put("pod", waiting.pod().key()).put("why", waiting.message());
        }

        private static Tree tree(Headroom room) {
            return new Tree()
                    .put("pods", room.pods())
                    .putPresent("runsOut", room.runsOut())
                    .putNonEmpty("why", room.message());
        }

        @Override
        public String text(Layout layout) {
            List<String> lines = new ArrayList<>();
            headroom.ifPresent(room -> lines.add("Room for " + DrainReport.counted(room.pods(), "more pod") + " like "
                    + template.orElse("") + first(room)));
            if (!losses.isEmpty()) {
                long bad = losses.stream()
                        .filter(line -> !line.loss().waiting().isEmpty())
                        .count();
                lines.add(
                        bad == 0
                                ? "All pods with a controller find a node after "
                                        + (losses.size() == 1 ? "the loss" : "each loss")
                                : DrainReport.counted(bad, "loss", "losses") + " of " + losses.size()
                                        + " would leave pods waiting");
                lines.add("");
                List<String[]> cells = new ArrayList<>();
                cells.add(new String[] {
                    "Lost",
                    "nodes",
                    "placed again",
                    "waiting",
                    "runs out first",
                    template.isPresent() ? "room left" : ""
                });
                losses.forEach(line -> cells.add(new String[] {
                    line.lost(),
                    Integer.toString(line.loss().nodes().size()),
                    Integer.toString(line.loss().placed()),
                    Integer.toString(line.loss().waiting().size()),
                    line.loss().runsOut().orElse("–"),
                    line.headroom().map(room -> Integer.toString(room.pods())).orElse("")
                }));
                lines.addAll(Layout.inColumns(cells));
                List<String> gone = losses.stream()
                        .flatMap(line -> line.loss().gone().stream())
                        .map(Pod::key)
                        .distinct()
                        .toList();
                if (!gone.isEmpty()) {
                    lines.add("");
                    lines.add("Lost for good with their nodes, as nothing makes them again");
                    gone.forEach(pod -> lines.add("   " + pod));
                }
                losses.stream()
                        .filter(line -> !line.loss().waiting().isEmpty())
                        .findFirst()
                        .ifPresent(line -> {
                            Refused waiting = line.loss().waiting().getFirst();
                            lines.add("");
                            lines.add("The first that would wait, without " + line.lost() + ": "
                                    + waiting.pod().key());
                            lines.add("  " + waiting.message());
                        });
            }
            return Layout.text(lines);
        }

        private static String first(Headroom room) {
            return room.runsOut().map(what -> "; then " + what).orElse(" at least");
        }
    }
}
