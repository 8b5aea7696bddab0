package io.evenkeel.framework;

import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;

/** A plugin as somebody else would write it. */
public final class OutsidePlugin implements FilterPlugin {

    /** Makes the plugin. */
    public static final class Factory implements PluginFactory {
        @Override
        public String name() {
            return "Outside";
        }

        @Override
        public Class<OutsidePlugin> type() {
            return OutsidePlugin.class;
        }

        @Override
        public Plugin create(PluginContext context) {
            return new OutsidePlugin();
        }
    }

    @Override
    public String name() {
        return "Outside";
    }

    @Override
    public Status filter(CycleState state, PodInfo pod, NodeInfo node) {
        return node.name().equals("n1") ? Status.unschedulable("not n1") : Status.SUCCESS;
    }
}
