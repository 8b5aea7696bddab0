package io.evenkeel.lab.bench.plot;

import io.evenkeel.lab.bench.suite.CaseName;

/** What a case has many or few of. */
enum Size {
    NODES("nodes") {
        @Override
        int of(CaseName name) {
            return name.nodes();
        }

        @Override
        CaseName without(CaseName name) {
            return new CaseName(name.workload(), 0, name.fill(), name.pods());
        }
    },

    PODS("pods") {
        @Override
        int of(CaseName name) {
            return name.pods();
        }

        @Override
        CaseName without(CaseName name) {
            return new CaseName(name.workload(), name.nodes(), name.fill(), 0);
        }
    };

    private final String plural;

    Size(String plural) {
        this.plural = plural;
    }

    abstract int of(CaseName name);

    /** What cases of one line have in common: all but this. */
    abstract CaseName without(CaseName name);

    /** As in the title of an axis. */
    String plural() {
        return plural;
    }
}
