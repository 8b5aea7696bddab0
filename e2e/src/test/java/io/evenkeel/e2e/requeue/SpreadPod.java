package io.evenkeel.e2e.requeue;

/** Drafts of pods that keep to a spread over zones. */
final class SpreadPod {
    static final String OF_WEB = """
            labels: {app: web}
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
               labelSelector: {matchLabels: {app: web}}}
            """;

    private SpreadPod() {}
}
