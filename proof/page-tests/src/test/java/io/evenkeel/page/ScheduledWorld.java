package io.evenkeel.page;

import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.lab.page.HollowPage;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A hollow cluster that Evenkeel schedules. */
record ScheduledWorld(HollowWorld world, Path kubeconfig, HttpTransport transport, LiveScheduler scheduler)
        implements AutoCloseable {
    static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: evenkeel
              containers: [{name: main, image: x, resources: {requests: {cpu: "%s"}}}]
            """;

    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            profiles: [{schedulerName: evenkeel}]
            """);

    static ScheduledWorld start(Path directory, WorldOptions options, LiveOptions live) throws IOException {
        HollowWorld world = HollowWorld.start(options);
        Path kubeconfig = world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml"));
        HttpTransport transport =
                HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
        return new ScheduledWorld(
                world, kubeconfig, transport, LiveScheduler.start(CONFIGURATION, transport, live, LiveObservers.NONE));
    }

    PageSite serve(int port) {
        return HollowPage.site(port, "hollow", () -> CONFIGURATION, Judgement.OWN, kubeconfig, objects());
    }

    HollowObjects objects() {
        return world.cluster().objects();
    }

    void create(String yaml) {
        ClusterFiles.parse("manifest", yaml).forEach(objects()::create);
    }

    @Override
    public void close() {
        scheduler.close();
        transport.close();
        world.close();
    }
}
