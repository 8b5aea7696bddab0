package io.evenkeel.config.write;

import io.evenkeel.config.ClientConnection;
import io.evenkeel.config.LeaderElection;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.yaml.YamlText;

/** Writes a completed configuration as YAML or JSON, which reads back as an equal record. */
public final class ConfigurationWriter {
    public String write(SchedulerConfiguration configuration) {
        return YamlText.dump(tree(configuration).fields());
    }

    public String writeJson(SchedulerConfiguration configuration) {
        return JsonTree.of(tree(configuration).fields());
    }

    private static Tree tree(SchedulerConfiguration configuration) {
        return new Tree()
                .put("apiVersion", SchedulerConfiguration.API_VERSION)
                .put("kind", SchedulerConfiguration.KIND)
                .put("parallelism", configuration.parallelism())
                .put("leaderElection", leaderElection(configuration.leaderElection()))
                .put("clientConnection", clientConnection(configuration.clientConnection()))
                .put("enableProfiling", configuration.enableProfiling())
                .put("enableContentionProfiling", configuration.enableContentionProfiling())
                .put("percentageOfNodesToScore", configuration.percentageOfNodesToScore())
                .put("podInitialBackoffSeconds", configuration.podInitialBackoffSeconds())
                .put("podMaxBackoffSeconds", configuration.podMaxBackoffSeconds())
                .put("delayCacheUntilActive", configuration.delayCacheUntilActive())
                .put("profiles", configuration.profiles(), ProfileTree::of)
                .put("extenders", configuration.extenders(), ExtenderTree::of);
    }

    private static Tree leaderElection(LeaderElection election) {
        return new Tree()
                .put("leaderElect", election.leaderElect())
                .put("leaseDuration", election.leaseDuration())
                .put("renewDeadline", election.renewDeadline())
                .put("retryPeriod", election.retryPeriod())
                .put("resourceLock", election.resourceLock())
                .put("resourceName", election.resourceName())
                .put("resourceNamespace", election.resourceNamespace());
    }

    private static Tree clientConnection(ClientConnection connection) {
        return new Tree()
                .put("kubeconfig", connection.kubeconfig())
                .put("acceptContentTypes", connection.acceptContentTypes())
                .put("contentType", connection.contentType())
                .put("qps", connection.qps())
                .put("burst", connection.burst());
    }
}
