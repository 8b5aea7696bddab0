package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PluginContext;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;

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
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        return node.name().equals("n1") ? Status.unschedulable("not n1") : Status.SUCCESS;
    }
}
