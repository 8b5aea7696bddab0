package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.FilterPlugin;
import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PluginFactory;

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
