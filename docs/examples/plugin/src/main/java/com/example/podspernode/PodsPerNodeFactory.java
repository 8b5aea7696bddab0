package com.example.podspernode;

import io.evenkeel.config.OpaqueArgs;
import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PluginFactory;

/** Makes the plugin for a profile. META-INF/services names this class. */
public final class PodsPerNodeFactory implements PluginFactory {
    private static final String USUAL_APP_LABEL = "app";

    @Override
    public String name() {
        return PodsPerNode.NAME;
    }

    @Override
    public Class<PodsPerNode> type() {
        return PodsPerNode.class;
    }

    /** What it throws is shown to whoever wrote the arguments: one line that says what is wrong with them. */
    @Override
    public PodsPerNode create(PluginContext context) {
        OpaqueArgs args = context.argsOr(OpaqueArgs.class, OpaqueArgs.defaults());
        for (String field : args.fields().keySet()) {
            if (!field.equals("appLabel")) {
                throw new IllegalArgumentException("args." + field + ": unknown field; there is appLabel");
            }
        }
        Object appLabel = args.fields().getOrDefault("appLabel", USUAL_APP_LABEL);
        if (appLabel instanceof String label && !label.isEmpty()) {
            return new PodsPerNode(label);
        }
        throw new IllegalArgumentException("args.appLabel: expected the key of a label, got " + appLabel);
    }
}
