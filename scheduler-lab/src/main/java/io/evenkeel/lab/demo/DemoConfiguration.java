package io.evenkeel.lab.demo;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;

/** The configurations of the demo's schedulers: five profiles of the one that plays in all stories, one of its guest. */
final class DemoConfiguration {
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
            - schedulerName: gangs
              plugins:
                multiPoint:
                  enabled:
                  - name: GangScheduling
            """;

    private static final String LOOKING_AHEAD = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            profiles:
            - schedulerName: redis
              plugins:
                multiPoint:
                  enabled:
                  - name: GroupPlacement
              pluginConfig:
              - name: GroupPlacement
                args: {scope: Label, labelKey: app}
            """;

    private DemoConfiguration() {}

    static SchedulerConfiguration read() {
        return new ConfigurationReader().read("the demo's configuration", TEXT);
    }

    /** Of a scheduler that looks ahead for the pods of an app. */
    static SchedulerConfiguration lookingAhead() {
        return new ConfigurationReader().read("the configuration of a guest", LOOKING_AHEAD);
    }

    /** The lines on a profile, as they are written. */
    static String ofProfile(String schedulerName) {
        String start = "- schedulerName: " + schedulerName + "\n";
        String text = LOOKING_AHEAD.contains(start) ? LOOKING_AHEAD : TEXT;
        int begin = text.indexOf(start);
        int end = text.indexOf("\n- ", begin + 1);
        return text.substring(begin, end < 0 ? text.length() : end + 1);
    }
}
