package io.evenkeel.tools.simulate;

import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.simulate.Outcome.Decided;

/** The answer as a line of JSON; docs/simulate.md describes its fields. */
final class JsonReport implements ReportFormat {
    private static final int VERSION = 1;

    @Override
    public String format(Answer answer) {
        Tree tree = new Tree().put("version", VERSION).put("changes", answer.changes());
        put(answer, tree);
        tree.put("remarks", answer.remarks());
        answer.compared().ifPresent(compared -> {
            Tree other =
                    new Tree().put("with", compared.name()).put("onOtherNodes", answer.differsFrom(compared.other()));
            put(compared.other(), other);
            tree.put("compared", other);
        });
        return tree.json();
    }

    private static void put(Answer answer, Tree tree) {
        tree.put("placed", answer.placed())
                .put("pending", answer.pending().size())
                .put("notMade", answer.notMade())
                .put("preempted", answer.preempted())
                .put("moved", answer.moved().size())
                .put("pods", answer.outcome().pods(), JsonReport::decided)
                .put("gone", answer.gone(), Pod::key)
                .put(
                        "evicted",
                        answer.outcome().evicted(),
                        evicted -> new Tree()
                                .put("pod", evicted.pod().key())
                                .put("node", evicted.pod().spec().nodeName())
                                .put("for", evicted.by()))
                .put("spread", answer.skews(), JsonReport::skew)
                .put("before", use(answer.before()).put("zones", answer.zonesBefore(), JsonReport::use))
                .put("after", use(answer.after()).put("zones", answer.zonesAfter(), JsonReport::use));
    }

    private static Tree decided(Decided decided) {
        Tree tree = new Tree()
                .put("pod", decided.arrival().pod().key())
                .put("workload", decided.arrival().workload().title())
                .put("cause", decided.arrival().cause().written())
                .putPresent(
                        "instead",
                        decided.arrival()
                                .instead()
                                .map(gone -> new Tree()
                                        .put("pod", gone.key())
                                        .put("node", gone.spec().nodeName())));
        return switch (decided.verdict()) {
            case Verdict.Placed(var node) -> tree.put("node", node);
            case Verdict.Waits(var why) -> tree.put("message", why);
            case Verdict.NotMade(var after) -> tree.put("notMadeBefore", after);
            case Verdict.Preempted(var by) -> tree.put("preemptedBy", by);
        };
    }

    private static Tree skew(SkewChange skew) {
        return new Tree()
                .put("workload", skew.workload().title())
                .put("topologyKey", skew.constraint().topologyKey())
                .put("maxSkew", skew.constraint().maxSkew())
                .put("whenUnsatisfiable", skew.constraint().whenUnsatisfiable().apiName())
                .put("before", new Tree().put("skew", skew.skewBefore()).put("domains", skew.before()))
                .put("after", new Tree().put("skew", skew.skewAfter()).put("domains", skew.after()));
    }

    private static Tree use(Use use) {
        return new Tree()
                .put("nodes", use.nodes())
                .put("nodesInUse", use.inUse())
                .put("pods", use.pods())
                .put("cpu", toThousandths(use.cpu()))
                .put("cpuAllocatable", toThousandths(use.cpuOffered()))
                .put("memory", Math.round(use.memory()))
                .put("memoryAllocatable", Math.round(use.memoryOffered()));
    }

    /** As exact as cpus are asked for; sums of fractions have a long tail. */
    private static double toThousandths(double cpus) {
        return Math.round(cpus * 1e3) / 1e3;
    }
}
