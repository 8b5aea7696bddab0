package io.evenkeel.config.file;

import io.evenkeel.config.Extender;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.ArgsKind;
import io.evenkeel.config.PluginArgs.CoschedulingArgs;
import io.evenkeel.config.PluginArgs.DefaultPreemptionArgs;
import io.evenkeel.config.PluginArgs.DynamicResourcesArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs.Scope;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.OpaqueArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.config.PluginArgs.VolumeBindingArgs;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.config.file.ConfigurationReader.ShardsBinder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.write.Tree;
import java.util.Optional;

/** Writes a completed configuration as YAML or JSON, which reads back as one that means the same. */
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
                .putNonEmpty(
                        "profiles", configuration.profiles(), profile -> profile(profile, configuration.featureGates()))
                .putNonEmpty("extenders", configuration.extenders(), ConfigurationWriter::extender)
                .putPresent("shards", shards(configuration.shards()));
    }

    private static Optional<Tree> shards(ShardSettings shards) {
        if (shards.equals(ShardSettings.NONE)) {
            return Optional.empty();
        }
        Tree tree = new Tree();
        if (shards.nodeLabel().isEmpty()) {
            tree.put("count", shards.count());
        } else {
            tree.put("nodeLabel", shards.nodeLabel()).put("values", shards.values());
        }
        return Optional.of(tree.put("across", shards.refusesAcross() ? ShardsBinder.REFUSE : ShardsBinder.PLACE));
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

    private static Tree extender(Extender extender) {
        return new Tree()
                .put("urlPrefix", extender.urlPrefix())
                .putNonEmpty("filterVerb", extender.filterVerb())
                .putNonEmpty("preemptVerb", extender.preemptVerb())
                .putNonEmpty("prioritizeVerb", extender.prioritizeVerb())
                .put("weight", extender.weight())
                .putNonEmpty("bindVerb", extender.bindVerb())
                .put("enableHTTPS", extender.enableHTTPS())
                .putPresent("tlsConfig", extender.tlsConfig().map(ConfigurationWriter::tls))
                .put("httpTimeout", GoDuration.format(extender.httpTimeout()))
                .put("nodeCacheCapable", extender.nodeCacheCapable())
                .putNonEmpty("managedResources", extender.managedResources(), ConfigurationWriter::managedResource)
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

    private static Tree profile(Profile profile, FeatureGates gates) {
        Tree tree = new Tree().put("schedulerName", profile.schedulerName());
        profile.percentageOfNodesToScore().ifPresent(percentage -> tree.put("percentageOfNodesToScore", percentage));
        return tree.put("plugins", plugins(profile.plugins()))
                .putNonEmpty(
                        "pluginConfig",
                        profile.pluginArgs().entrySet(),
                        entry -> new Tree()
                                .put("name", entry.getKey())
                                .put("args", ArgsTree.of(entry.getValue(), entry.getKey(), gates)));
    }

    private static Tree plugins(Plugins plugins) {
        Tree tree = new Tree();
        plugins.sets().forEach((point, set) -> tree.put(point.fieldName(), set(set)));
        return tree;
    }

    private static Tree set(PluginSet set) {
        return new Tree()
                .putNonEmpty("enabled", set.enabled(), ConfigurationWriter::enabled)
                .putNonEmpty("disabled", set.disabled(), name -> new Tree().put("name", name));
    }

    private static Tree enabled(EnabledPlugin plugin) {
        Tree tree = new Tree().put("name", plugin.name());
        return plugin.weight() == 0 ? tree : tree.put("weight", plugin.weight());
    }

    /** A plugin's arguments as they are written, with their apiVersion and kind. */
    static final class ArgsTree {
        private ArgsTree() {}

        static Tree of(PluginArgs args, String pluginName, FeatureGates gates) {
            Tree tree = new Tree();
            ArgsKind.ofPlugin(pluginName)
                    .ifPresent(kind -> tree.put("apiVersion", SchedulerConfiguration.API_VERSION)
                            .put("kind", kind.kindName()));
            switch (args) {
                case CoschedulingArgs groups -> {
                    groups.permitWaitingTimeSeconds().ifPresent(time -> tree.put("permitWaitingTimeSeconds", time));
                    groups.podGroupBackoffSeconds().ifPresent(backoff -> tree.put("podGroupBackoffSeconds", backoff));
                    groups.podGroupRejectPercentage().ifPresent(share -> tree.put("podGroupRejectPercentage", share));
                }
                case DefaultPreemptionArgs preemption ->
                    tree.put("minCandidateNodesPercentage", preemption.minCandidateNodesPercentage())
                            .put("minCandidateNodesAbsolute", preemption.minCandidateNodesAbsolute());
                case InterPodAffinityArgs affinity -> putAffinity(affinity, tree);
                case NodeAffinityArgs affinity ->
                    tree.putPresent("addedAffinity", affinity.addedAffinity().map(NodeAffinityTree::of));
                case NodeResourcesFitArgs fit ->
                    tree.putNonEmpty("ignoredResources", fit.ignoredResources())
                            .putNonEmpty("ignoredResourceGroups", fit.ignoredResourceGroups())
                            .put("scoringStrategy", strategy(fit.scoringStrategy()));
                case NodeResourcesBalancedAllocationArgs balanced ->
                    tree.putNonEmpty("resources", balanced.resources(), ArgsTree::resource);
                case PodTopologySpreadArgs spread ->
                    tree.put("defaultingType", spread.defaultingType().apiName())
                            .putNonEmpty("defaultConstraints", spread.defaultConstraints(), ArgsTree::constraint);
                case VolumeBindingArgs binding -> {
                    tree.put("bindTimeoutSeconds", binding.bindTimeoutSeconds());
                    binding.shape()
                            .or(() -> gates.isOn(Feature.STORAGE_CAPACITY_SCORING)
                                    ? Optional.of(VolumeBindingArgs.EMPTIEST_FIRST)
                                    : Optional.empty())
                            .ifPresent(shape -> tree.putNonEmpty("shape", shape, ArgsTree::point));
                }
                case DynamicResourcesArgs resources ->
                    tree.put("filterTimeout", GoDuration.format(resources.filterTimeout()))
                            .put("bindingTimeout", GoDuration.format(resources.bindingTimeout()));
                case GroupPlacementArgs groups -> {
                    tree.put("scope", groups.scope().apiName());
                    if (groups.scope() == Scope.LABEL) {
                        tree.put("labelKey", groups.labelKey());
                    }
                    groups.maxSteps().ifPresent(steps -> tree.put("maxSteps", steps));
                }
                case OpaqueArgs opaque -> opaque.fields().forEach(tree::put);
            }
            return tree;
        }

        /** A field that kube-scheduler does not have is written only where it is set. */
        private static void putAffinity(InterPodAffinityArgs affinity, Tree tree) {
            tree.put("hardPodAffinityWeight", affinity.hardPodAffinityWeight())
                    .put("ignorePreferredTermsOfExistingPods", affinity.ignorePreferredTermsOfExistingPods());
            if (affinity.exactNamespaceSelectors()) {
                tree.put("exactNamespaceSelectors", true);
            }
        }

        private static Tree strategy(ScoringStrategy strategy) {
            Tree tree = new Tree()
                    .put("type", strategy.type().apiName())
                    .putNonEmpty("resources", strategy.resources(), ArgsTree::resource);
            if (!strategy.shape().isEmpty()) {
                tree.put(
                        "requestedToCapacityRatio", new Tree().putNonEmpty("shape", strategy.shape(), ArgsTree::point));
            }
            return tree;
        }

        private static Tree resource(ResourceWeight resource) {
            return new Tree().put("name", resource.name()).put("weight", resource.weight());
        }

        private static Tree point(ShapePoint point) {
            return new Tree().put("utilization", point.utilization()).put("score", point.score());
        }

        private static Tree constraint(TopologySpreadConstraint constraint) {
            return new Tree()
                    .put("maxSkew", constraint.maxSkew())
                    .put("topologyKey", constraint.topologyKey())
                    .put("whenUnsatisfiable", constraint.whenUnsatisfiable().apiName())
                    .put("minDomains", constraint.minDomains())
                    .put("nodeAffinityPolicy", constraint.nodeAffinityPolicy().apiName())
                    .put("nodeTaintsPolicy", constraint.nodeTaintsPolicy().apiName())
                    .putNonEmpty("matchLabelKeys", constraint.matchLabelKeys());
        }

        private static final class NodeAffinityTree {
            private NodeAffinityTree() {}

            static Tree of(NodeAffinity affinity) {
                return new Tree()
                        .putPresent(
                                "requiredDuringSchedulingIgnoredDuringExecution",
                                affinity.required().map(NodeAffinityTree::selector))
                        .putNonEmpty(
                                "preferredDuringSchedulingIgnoredDuringExecution",
                                affinity.preferred(),
                                NodeAffinityTree::preferred);
            }

            /** The list is written even where it is empty: a selector without terms matches nothing. */
            private static Tree selector(NodeSelector selector) {
                return new Tree().put("nodeSelectorTerms", selector.terms(), NodeAffinityTree::term);
            }

            private static Tree preferred(PreferredSchedulingTerm preferred) {
                return new Tree().put("weight", preferred.weight()).put("preference", term(preferred.preference()));
            }

            private static Tree term(NodeSelectorTerm term) {
                return new Tree()
                        .putNonEmpty("matchExpressions", term.matchExpressions(), NodeAffinityTree::requirement)
                        .putNonEmpty("matchFields", term.matchFields(), NodeAffinityTree::requirement);
            }

            private static Tree requirement(NodeSelectorRequirement requirement) {
                return new Tree()
                        .put("key", requirement.key())
                        .put("operator", requirement.operator().apiName())
                        .putNonEmpty("values", requirement.values());
            }
        }
    }
}
