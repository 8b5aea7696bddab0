package io.evenkeel.lab.demo;

/** Spread constraints as pods have them in the stories; to be formatted with the app that they count. */
final class Constraints {
    static final String ZONES = """
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: topology.kubernetes.io/zone
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: %s}}
            """;

    static final String ZONES_AND_NODES = ZONES + """
            - maxSkew: 1
              topologyKey: kubernetes.io/hostname
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: %<s}}
            """;

    private Constraints() {}
}
