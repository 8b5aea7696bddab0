package io.evenkeel.lab.bench.suite;

import io.evenkeel.framework.run.PluginRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which cases are measured one after the other. */
public enum SuiteKind {
    /** A bit of everything: what a change is held against. */
    USUAL("usual") {
        @Override
        public List<SuiteCase> cases(PluginRegistry registry, long seed) {
            return SuiteCase.usual(registry, seed);
        }
    },

    /** A few workloads at many sizes: how rates go with the nodes and with the pods. */
    SCALE("scale") {
        @Override
        public List<SuiteCase> cases(PluginRegistry registry, long seed) {
            return ScaleCases.all(seed);
        }
    };

    private final String id;

    SuiteKind(String id) {
        this.id = id;
    }

    /** In the order in which they are measured: each warms the process up for those after it. */
    public abstract List<SuiteCase> cases(PluginRegistry registry, long seed);

    /** The name on the command line. */
    public String id() {
        return id;
    }

    public static Optional<SuiteKind> find(String id) {
        return Arrays.stream(values()).filter(kind -> kind.id.equals(id)).findFirst();
    }

    public static List<String> ids() {
        return Arrays.stream(values()).map(SuiteKind::id).toList();
    }
}
