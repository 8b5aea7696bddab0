package io.evenkeel.tools.observe;

/** Evenkeel's view of another scheduler's choice of a node. */
enum Outcome {
    /** One of the best nodes by Evenkeel's scores too. */
    BEST("best"),
    /** It fits there, and another node scores more. */
    LOWER_SCORE("lower_score"),
    /** By Evenkeel's rules it does not fit there. */
    UNFIT("unfit"),
    /** Not looked at, as too many came at once. */
    SKIPPED("skipped");

    private final String label;

    Outcome(String label) {
        this.label = label;
    }

    /** In metrics and log lines. */
    String label() {
        return label;
    }
}
