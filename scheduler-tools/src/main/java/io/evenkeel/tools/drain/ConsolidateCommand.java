package io.evenkeel.tools.drain;

import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.model.Node;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.plan.ClusterOptions;
import io.evenkeel.tools.plan.OnlySubcommands;
import io.evenkeel.tools.replay.ScenarioCluster;
import io.evenkeel.tools.simulate.Manifest;
import io.evenkeel.tools.simulate.ManifestFiles;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.Consolidation;
import io.evenkeel.whatif.drain.Consolidation.Alone;
import io.evenkeel.whatif.drain.Consolidation.Replacement;
import io.evenkeel.whatif.drain.Consolidation.Together;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkeel consolidate}. */
@Command(
        name = "consolidate",
        description = "Finds nodes that a cluster can do without.",
        footerHeading = "%nExamples:%n",
        footer = "  evenkeel consolidate plan",
        subcommands = ConsolidateCommand.Plan.class,
        mixinStandardHelpOptions = true)
public final class ConsolidateCommand extends OnlySubcommands {
    /** {@code evenkeel consolidate plan}. */
    @Command(
            name = "plan",
            description = {
                "Says which nodes can go, each by itself and together, and where their pods go; and which cheaper node would do.",
                "Each node is drained on a copy of the cluster by the scheduler's own rules, PodDisruptionBudgets kept. Nothing is"
                        + " written to the cluster."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  evenkeel consolidate plan -o json",
                "  evenkeel consolidate plan --nodes n1,n2 --catalogue machines.yaml"
            },
            mixinStandardHelpOptions = true)
    static final class Plan implements Callable<Integer> {
        private static final String PRICE = "evenkeel.io/price";
        private static final Pattern PRICES = Pattern.compile("[0-9]{1,15}(\\.[0-9]{1,15})?");
        private static final String TYPE = "node.kubernetes.io/instance-type";

        @Option(
                names = "--nodes",
                paramLabel = "NODE",
                split = ",",
                converter = Name.class,
                description = "Nodes that may go (default: all)")
        private List<String> nodes = List.of();

        @Option(
                names = "--catalogue",
                paramLabel = "FILE",
                description = "Manifests of Nodes that can be had, each with its price in the annotation " + PRICE
                        + "; a node of the cluster has the price of that with its label " + TYPE)
        private Optional<Path> catalogue = Optional.empty();

        @Mixin
        private ClusterOptions clusters = new ClusterOptions();

        /** A node that can be had. */
        private record Offer(Node node, BigDecimal price) {
            static Offer of(Manifest manifest) {
                Node node = manifest.as(Kinds.NODE);
                String price = manifest.annotation(PRICE);
                if (!PRICES.matcher(price).matches()) {
                    throw manifest.mistake(
                            "metadata.annotations." + PRICE, "expected a price such as 0.25, got \"" + price + '"');
                }
                return new Offer(node, new BigDecimal(price));
            }

            boolean isOfTypeOf(Node other) {
                return other.labels().has(TYPE)
                        && node.labels().has(TYPE, other.labels().getOrDefault(TYPE, ""));
            }
        }

        @Override
        public Integer call() throws InterruptedException {
            List<Offer> offers = catalogue
                    .map(file -> ManifestFiles.read(List.of(file), "default", _ -> {}).stream()
                            .map(Offer::of)
                            .sorted(Comparator.comparing(Offer::price))
                            .toList())
                    .orElse(List.of());
            return clusters.answer(cluster -> scan(cluster, offers));
        }

        private ConsolidationReport scan(ScenarioCluster cluster, List<Offer> offers) {
            ClusterSnapshot snapshot = cluster.snapshot();
            List<String> all = snapshot.nodes().stream().map(Node::name).toList();
            nodes.stream().filter(node -> !all.contains(node)).findFirst().ifPresent(node -> {
                throw new UserProblem("--nodes " + node + ": there is no such node" + NearestName.hint(node, all));
            });
            try (Consolidation consolidation = new Consolidation(snapshot)) {
                List<String> meant =
                        nodes.isEmpty() ? all : nodes.stream().distinct().toList();
                Alone alone = consolidation.alone(meant);
                Together together = consolidation.together(meant);
                List<ConsolidationReport.Cheaper> cheaper = new ArrayList<>();
                for (Consolidation.Stays stays : alone.stay()) {
                    Node node = snapshot.view().node(stays.node()).orElseThrow();
                    offers.stream()
                            .filter(offer -> offer.isOfTypeOf(node))
                            .findFirst()
                            .flatMap(own -> cheaper(consolidation, node, own, offers))
                            .ifPresent(cheaper::add);
                }
                return new ConsolidationReport(cluster.name(), alone, together, cheaper);
            }
        }

        private static Optional<ConsolidationReport.Cheaper> cheaper(
                Consolidation consolidation, Node node, Offer own, List<Offer> offers) {
            List<Offer> less = offers.stream()
                    .filter(offer -> offer.price().compareTo(own.price()) < 0)
                    .toList();
            return consolidation
                    .replacement(node.name(), less.stream().map(Offer::node).toList())
                    .map(found -> new ConsolidationReport.Cheaper(
                            node.name(),
                            found,
                            own.price(),
                            less.stream()
                                    .filter(offer -> offer.node().equals(found.offer()))
                                    .findFirst()
                                    .orElseThrow()
                                    .price()));
        }
    }

    private record ConsolidationReport(String name, Alone alone, Together together, List<Cheaper> cheaper)
            implements Report {

        /** A node that a cheaper one can stand in for. */
        record Cheaper(String node, Replacement by, BigDecimal price, BigDecimal itsPrice) {}

        @Override
        public Tree tree() {
            return new Tree()
                    .put("name", name)
                    .put("alone", alone.go(), ConsolidationReport::tree)
                    .put("together", together.go(), ConsolidationReport::tree)
                    .put("most", together.areMost())
                    .put(
                            "stay",
                            alone.stay(),
                            stays -> new Tree().put("node", stays.node()).put("why", stays.why()))
                    .putNonEmpty(
                            "cheaper",
                            cheaper,
                            each -> DrainReport.withMoves(
                                    new Tree()
                                            .put("node", each.node())
                                            .put("by", each.by().offer().name())
                                            .put(
                                                    "price",
                                                    new Tree.Raw(each.itsPrice().toPlainString()))
                                            .put(
                                                    "insteadOf",
                                                    new Tree.Raw(each.price().toPlainString())),
                                    each.by().step()));
        }

        private static Tree tree(Step goes) {
            return DrainReport.withMoves(new Tree().put("node", goes.node()), goes);
        }

        @Override
        public String text(Layout layout) {
            List<String> lines = new ArrayList<>();
            int all = alone.go().size() + alone.stay().size();
            lines.add(together.go().size() + " of " + DrainReport.counted(all, "node") + " can go together"
                    + (together.areMost() ? " and no more, " : ", ")
                    + alone.go().size() + " each alone");
            together.go().forEach(goes -> {
                lines.add("");
                lines.add(goes.node() + ": " + DrainReport.counted(goes.moves().size(), "move")
                        + DrainReport.inWaves(goes));
                lines.addAll(DrainReport.lines(goes));
            });
            if (!cheaper.isEmpty()) {
                lines.add("");
                lines.add("Cheaper nodes would do");
                lines.addAll(Layout.inColumns(cheaper.stream()
                        .map(each -> new String[] {
                            "   " + each.node(),
                            "→ " + each.by().offer().name(),
                            each.price().toPlainString() + " → "
                                    + each.itsPrice().toPlainString()
                        })
                        .toList()));
            }
            if (!alone.stay().isEmpty()) {
                lines.add("");
                lines.add("Cannot go");
                alone.stay().forEach(stays -> lines.add("   " + stays.why()));
            }
            return Layout.text(lines);
        }
    }
}
