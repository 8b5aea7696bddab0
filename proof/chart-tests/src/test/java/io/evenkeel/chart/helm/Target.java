package io.evenkeel.chart.helm;

/** What a chart is rendered for: a release, its namespace, and the version of the API server. */
public record Target(String release, String namespace, String server) {
    public static final Target USUAL = new Target("evenkeel", "kube-system", "v1.34.0");

    public Target named(String release) {
        return new Target(release, namespace, server);
    }

    public Target in(String namespace) {
        return new Target(release, namespace, server);
    }

    public Target on(String server) {
        return new Target(release, namespace, server);
    }
}
