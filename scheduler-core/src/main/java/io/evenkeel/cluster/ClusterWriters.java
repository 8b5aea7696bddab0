package io.evenkeel.cluster;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.counting.CarriedTerms;
import io.evenkeel.cluster.counting.DomainCounters;
import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.counting.Namespaces;
import io.evenkeel.cluster.counting.SelectorIndex;
import io.evenkeel.cluster.counting.Workloads;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.Derivations;
import io.evenkeel.cluster.node.HostPorts;
import io.evenkeel.cluster.node.NodeImages;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;

/**
 * All structures of a cluster, each with what changes it. {@link ClusterState} keeps them to itself; {@link ClusterView}
 * takes from each only what reads it.
 */
final class ClusterWriters {
    final FeatureGates featureGates;
    final Work work = new Work();
    final ResourceNames resources = new ResourceNames();
    final PodShapes.Writer shapes;
    final NodeTable.Writer nodes = NodeTable.create(resources);
    final PodTable.Writer pods = PodTable.create();
    final Derivations.Writer derivations;
    final Namespaces.Writer namespaces = Namespaces.create();
    final ObjectStore.Writer objects = ObjectStore.create();
    final Workloads.Writer workloads = Workloads.create(objects.objects());
    final DomainCounters.Writer counters = DomainCounters.create(nodes.table(), work);
    final SelectorIndex.Writer selectors = SelectorIndex.create(pods.table(), namespaces.namespaces(), work);
    final CarriedTerms.Writer carriedTerms = CarriedTerms.create(
            pods.table(), counters.counters(), selectors.selectors(), namespaces.namespaces(), work);
    final HostPorts.Writer hostPorts = HostPorts.create(pods.table());
    final NodeImages.Writer images = NodeImages.create(nodes.table());
    final ExtendedResources.Writer extendedResources;
    final ClusterIndexes indexes = new ClusterIndexes();

    ClusterWriters(FeatureGates featureGates, ClusterLimits limits) {
        this.featureGates = featureGates;
        shapes = PodShapes.create(resources, featureGates, limits.idleFacets());
        derivations = Derivations.create(nodes.table(), pods.table(), limits.loggedChanges(), work);
        extendedResources = ExtendedResources.create(
                objects.objects(), resources, featureGates.isOn(Feature.DRA_EXTENDED_RESOURCE));
        indexes.add(namespaces);
        indexes.add(workloads);
        indexes.add(counters);
        indexes.add(selectors);
        indexes.add(carriedTerms);
        indexes.add(hostPorts);
        indexes.add(images);
        indexes.add(extendedResources);
        indexes.add(derivations);
    }
}
