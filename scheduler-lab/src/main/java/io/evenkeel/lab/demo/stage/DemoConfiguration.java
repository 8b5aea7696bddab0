package io.evenkeel.lab.demo.stage;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.read.ConfigurationReader;

/** The configuration of the demo's scheduler: four profiles in one process. */
public final class DemoConfiguration {
    private static final String TEXT = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            clientConnection: {qps: 5000, burst: 10000}
            profiles:
            - schedulerName: default-scheduler
            - schedulerName: evenkeel
            - schedulerName: no-defaults
              pluginConfig:
              - name: PodTopologySpread
                args: {defaultingType: List, defaultConstraints: []}
            - schedulerName: even-zones
              pluginConfig:
              - name: PodTopologySpread
                args:
                  defaultingType: List
                  defaultConstraints:
                  - maxSkew: 1
                    topologyKey: topology.kubernetes.io/zone
                    whenUnsatisfiable: DoNotSchedule
            """;

    private DemoConfiguration() {}

    static SchedulerConfiguration read() {
        return new ConfigurationReader().read("the demo's configuration", TEXT);
    }

    /** What it says of a profile, as it is written. */
    public static String ofProfile(String schedulerName) {
        String start = "- schedulerName: " + schedulerName + "\n";
        int begin = TEXT.indexOf(start);
        int end = TEXT.indexOf("\n- ", begin + 1);
        return TEXT.substring(begin, end < 0 ? TEXT.length() : end + 1);
    }
}
