package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.GroupBench.GroupCase;
import io.evenkeel.problem.NearestName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options for the pods to be placed, and for the cluster. */
final class BenchCaseOptions {
    private static final int MOST_NODES = 1_000_000;
    private static final int MOST_PODS = 100_000_000;
    private static final int MOST_FILL = 110;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--workload",
            paramLabel = "WORKLOAD",
            converter = WorkloadConverter.class,
            completionCandidates = WorkloadConverter.Names.class,
            description = "Pods to place: ${COMPLETION-CANDIDATES}, group-N, groups of N pods that are placed"
                    + " together, or perf:NAME, of this name in Kubernetes' scheduler_perf (perf: alone"
                    + " lists them)")
    private Optional<WorkloadConverter.ChosenWorkload> workload = Optional.empty();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes of the cluster (default: 1000, of crowd and group-N 5000, of trace-gpu the trace's, of"
                    + " perf:NAME the reference's)")
    private Optional<Integer> nodes = Optional.empty();

    @Option(
            names = "--pods",
            paramLabel = "P",
            description = "Pods to be placed (default: " + Workload.USUAL_PODS
                    + ", of trace-gpu the trace's, of perf:NAME the reference's)")
    private Optional<Integer> pods = Optional.empty();

    @Option(
            names = "--zones",
            paramLabel = "Z",
            description = "Zones of the cluster (default: " + BenchCase.USUAL_ZONES + ")")
    private Optional<Integer> zones = Optional.empty();

    @Option(
            names = "--groups",
            paramLabel = "G",
            description = "Distinct apps that the pods are of (default: 10, or as many as let all pods be placed)")
    private Optional<Integer> groups = Optional.empty();

    @Option(
            names = "--fill",
            paramLabel = "N",
            description =
                    "Pods a node that are there before measuring: the workload's own, of the same apps, as if placed"
                            + " one by one; of anti and mixed with more apps, of unschedulable basic ones; of affinity N"
                            + " on average (default: 0)")
    private Optional<Integer> fill = Optional.empty();

    @Option(names = "--seed", paramLabel = "S", description = "Random seed for ties (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    long seed() {
        return seed;
    }

    /** Nothing may be said of one case, for a reason that the refusal begins with. */
    void refuseAll(String reason) {
        Map<String, Optional<?>> ofOneCase = new LinkedHashMap<>();
        ofOneCase.put("--workload", workload);
        ofOneCase.put("--nodes", nodes);
        ofOneCase.put("--pods", pods);
        ofOneCase.put("--zones", zones);
        ofOneCase.put("--groups", groups);
        ofOneCase.put("--fill", fill);
        ofOneCase.forEach((option, given) -> {
            if (given.isPresent()) {
                throw mistake(reason + ", without " + option);
            }
        });
    }

    WorkloadConverter.ChosenWorkload workload() {
        return workload.orElseThrow(() -> mistake("Missing required option: '--workload=WORKLOAD'"));
    }

    BenchCase caseOf(Workload own) {
        int nodeCount = nodes.orElseGet(own::usualNodes);
        int podCount = pods.orElseGet(own::usualPods);
        int zoneCount = zones.orElse(BenchCase.USUAL_ZONES);
        int filled = fill.orElse(0);
        if (nodeCount > 0 && zoneCount > nodeCount) {
            throw mistake("--zones " + zoneCount + " is more than --nodes " + nodeCount);
        }
        between(1, MOST_NODES, "--nodes", nodeCount);
        between(1, MOST_PODS, "--pods", podCount);
        between(1, MOST_NODES, "--zones", zoneCount);
        between(0, MOST_FILL, "--fill", filled);
        int groupCount = groups.orElseGet(() -> own.usualGroups(nodeCount, filled * nodeCount + podCount));
        between(1, MOST_PODS, "--groups", groupCount);
        BenchCase benchCase = new BenchCase(own, nodeCount, podCount, zoneCount, groupCount, filled, seed);
        FillLimits.objection(benchCase).ifPresent(objection -> {
            throw mistake(objection);
        });
        return benchCase;
    }

    GroupCase caseOf(WorkloadConverter.ChosenWorkload.Group group) {
        String why = ", whose cluster is a grid of racks and rows";
        refuse("--zones", zones, group.id() + why);
        refuse("--groups", groups, group.id() + why);
        refuse("--fill", fill, group.id() + why);
        return new GroupCase(
                group.size(),
                between(1, MOST_NODES, "--nodes", nodes.orElse(GroupCase.USUAL_NODES)),
                between(1, MOST_PODS, "--pods", pods.orElse(Math.max(Workload.USUAL_PODS, group.size()))),
                seed);
    }

    PerfCase caseOf(PerfWorkload ofTheReference, PluginRegistry registry) {
        String why = ofTheReference.id() + ", whose cluster is the reference's";
        refuse("--zones", zones, why);
        refuse("--groups", groups, why);
        refuse("--fill", fill, why);
        return new PerfCase(
                ofTheReference,
                between(1, MOST_NODES, "--nodes", nodes.orElse(ofTheReference.nodes())),
                between(1, MOST_PODS, "--pods", pods.orElse(ofTheReference.pods())),
                seed,
                registry);
    }

    private void refuse(String option, Optional<Integer> given, String whom) {
        if (given.isPresent()) {
            throw mistake(option + " is not for " + whom);
        }
    }

    int warmUpPods(int warmUpPods) {
        return between(0, MOST_PODS, "--warm-up-pods", warmUpPods);
    }

    private int between(int least, int most, String option, int value) {
        return new Limits(spec).between(least, most, option, value);
    }

    ParameterException mistake(String message) {
        return new Limits(spec).mistake(message);
    }

    /** Reads a workload's name from the command line. */
    static final class WorkloadConverter implements ITypeConverter<WorkloadConverter.ChosenWorkload> {
        @Override
        public ChosenWorkload convert(String value) {
            if (value.startsWith(PerfWorkload.PREFIX)) {
                return PerfWorkload.find(value.substring(PerfWorkload.PREFIX.length()))
                        .orElseThrow(() -> new TypeConversionException(unknown(value) + all(PerfWorkload.ids())));
            }
            if (value.startsWith(GroupCase.PREFIX)) {
                return new ChosenWorkload.Group(size(value.substring(GroupCase.PREFIX.length())));
            }
            return Workload.find(value)
                    .orElseThrow(() -> new TypeConversionException(unknown(value) + nearestOf(value)));
        }

        private static int size(String digits) {
            try {
                int size = Integer.parseInt(digits);
                if (size >= 1 && size <= GroupCase.MOST) {
                    return size;
                }
            } catch (NumberFormatException _) {
                // said below
            }
            throw new TypeConversionException(
                    "group-N has a number from 1 to " + GroupCase.MOST + " for N, the pods of a group, got " + digits);
        }

        private static String unknown(String value) {
            return "there is no workload \"" + value + '"';
        }

        private static String nearestOf(String value) {
            List<String> names = new ArrayList<>(ids());
            names.addAll(PerfWorkload.ids());
            String nearest = NearestName.hint(value, names);
            return nearest.isEmpty()
                    ? all(ids()) + ", " + GroupCase.PREFIX + "N, and " + PerfWorkload.PREFIX + "NAME ("
                            + PerfWorkload.PREFIX + " alone lists them)"
                    : nearest;
        }

        private static String all(List<String> names) {
            return "; there are " + String.join(", ", names);
        }

        private static List<String> ids() {
            return Arrays.stream(Workload.values()).map(Workload::id).toList();
        }

        /** Our own names, for the help and for completion, in which a colon would end a word. */
        static final class Names implements Iterable<String> {
            @Override
            public Iterator<String> iterator() {
                return ids().iterator();
            }
        }

        /** One of our own, one of the reference's, or groups. */
        sealed interface ChosenWorkload permits Workload, PerfWorkload, ChosenWorkload.Group {
            String id();

            /** Groups of so many pods. */
            record Group(int size) implements ChosenWorkload {
                @Override
                public String id() {
                    return GroupCase.PREFIX + size;
                }
            }
        }
    }
}
