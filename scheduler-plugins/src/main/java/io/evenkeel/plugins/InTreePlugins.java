package io.evenkeel.plugins;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.plugins.devices.DynamicResources;
import io.evenkeel.plugins.devices.ScoredDevices;
import io.evenkeel.plugins.interpodaffinity.InterPodAffinity;
import io.evenkeel.plugins.podtopologyspread.PodTopologySpread;
import io.evenkeel.plugins.preemption.DefaultPreemption;
import io.evenkeel.plugins.volumes.NodeVolumeLimits;
import io.evenkeel.plugins.volumes.VolumeBinding;
import io.evenkeel.plugins.volumes.VolumeRestrictions;
import io.evenkeel.plugins.volumes.VolumeZone;
import java.util.List;
import java.util.ServiceLoader;

/** The plugins that come with Evenkeel: those of this module, and those that modules beside it bring as a service. */
public final class InTreePlugins {
    private static final List<PluginFactory> HERE = List.of(
            SchedulingGates.FACTORY,
            PrioritySort.FACTORY,
            NodeUnschedulable.FACTORY,
            NodeName.FACTORY,
            TaintToleration.FACTORY,
            NodeAffinity.FACTORY,
            NodePorts.FACTORY,
            NodeResourcesFit.factory(ScoredDevices::new),
            VolumeRestrictions.FACTORY,
            NodeVolumeLimits.FACTORY,
            VolumeBinding.FACTORY,
            VolumeZone.FACTORY,
            PodTopologySpread.FACTORY,
            InterPodAffinity.FACTORY,
            DynamicResources.FACTORY,
            DefaultPreemption.FACTORY,
            NodeResourcesBalancedAllocation.factory(ScoredDevices::new),
            ImageLocality.FACTORY,
            NodeDeclaredFeatures.FACTORY);

    private static final PluginRegistry ALL = new PluginRegistry(HERE)
            .with(ServiceLoader.load(PluginFactory.class, InTreePlugins.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList());

    private InTreePlugins() {}

    public static PluginRegistry registry() {
        return ALL;
    }
}
