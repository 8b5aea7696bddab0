package io.evenkeel.config.file;

import io.evenkeel.config.Extender;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.model.write.Tree;

/** Writes a completed configuration as YAML or JSON, which reads back as an equal record. */
public final class ConfigurationWriter {
    public String write(SchedulerConfiguration configuration) {
        return YamlText.dump(tree(configuration).fields());
    }

    public String writeJson(SchedulerConfiguration configuration) {
        return tree(configuration).json();
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
                .putNonEmpty("profiles", configuration.profiles(), ProfileTree::of)
                .putNonEmpty("extenders", configuration.extenders(), ExtenderTree::of);
    }

    private static Tree leaderElection(LeaderElection election) {
        return new Tree()
                .put("leaderElect", election.leaderElect())
                .put("leaseDuration", GoDuration.format(election.leaseDuration()))
                .put("renewDeadline", GoDuration.format(election.renewDeadline()))
                .put("retryPeriod", GoDuration.format(election.retryPeriod()))
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

    /** An extender as it is written. */
    private static final class ExtenderTree {
        private ExtenderTree() {}

        static Tree of(Extender extender) {
            return new Tree()
                    .put("urlPrefix", extender.urlPrefix())
                    .putNonEmpty("filterVerb", extender.filterVerb())
                    .putNonEmpty("preemptVerb", extender.preemptVerb())
                    .putNonEmpty("prioritizeVerb", extender.prioritizeVerb())
                    .put("weight", extender.weight())
                    .putNonEmpty("bindVerb", extender.bindVerb())
                    .put("enableHTTPS", extender.enableHTTPS())
                    .putPresent("tlsConfig", extender.tlsConfig().map(ExtenderTree::tls))
                    .put("httpTimeout", GoDuration.format(extender.httpTimeout()))
                    .put("nodeCacheCapable", extender.nodeCacheCapable())
                    .putNonEmpty("managedResources", extender.managedResources(), ExtenderTree::managedResource)
                    .put("ignorable", extender.ignorable());
        }

        private static Tree managedResource(Extender.ManagedResource resource) {
            return new Tree().put("name", resource.name()).put("ignoredByScheduler", resource.ignoredByScheduler());
        }

        private static Tree tls(Extender.Tls tls) {
            return new Tree()
                    .put("insecure", tls.insecure())
                    .putNonEmpty("serverName", tls.serverName())
                    .putNonEmpty("certFile", tls.certFile())
                    .putNonEmpty("keyFile", tls.keyFile())
                    .putNonEmpty("caFile", tls.caFile())
                    .putNonEmpty("certData", tls.certData())
                    .putNonEmpty("keyData", tls.keyData())
                    .putNonEmpty("caData", tls.caData());
        }
    }

    /** A profile as it is written. */
    private static final class ProfileTree {
        private ProfileTree() {}

        static Tree of(Profile profile) {
            Tree tree = new Tree().put("schedulerName", profile.schedulerName());
            profile.percentageOfNodesToScore()
                    .ifPresent(percentage -> tree.put("percentageOfNodesToScore", percentage));
            return tree.put("plugins", plugins(profile.plugins()))
                    .putNonEmpty(
                            "pluginConfig",
                            profile.pluginArgs().entrySet(),
                            entry -> new Tree()
                                    .put("name", entry.getKey())
                                    .put("args", ArgsTree.of(entry.getValue(), entry.getKey())));
        }

        private static Tree plugins(Plugins plugins) {
            Tree tree = new Tree();
            plugins.sets().forEach((point, set) -> tree.put(point.configName(), set(set)));
            return tree;
        }

        private static Tree set(PluginSet set) {
            return new Tree()
                    .putNonEmpty("enabled", set.enabled(), ProfileTree::enabled)
                    .putNonEmpty("disabled", set.disabled(), name -> new Tree().put("name", name));
        }

        private static Tree enabled(EnabledPlugin plugin) {
            Tree tree = new Tree().put("name", plugin.name());
            return plugin.weight() == 0 ? tree : tree.put("weight", plugin.weight());
        }
    }
}
