package com.example.podspernode;

import io.evenkeel.api.PluginContext;
import io.evenkeel.api.PluginFactory;

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
        for (String field : context.args().keySet()) {
            if (!field.equals("appLabel")) {
                throw new IllegalArgumentException("args." + field + ": unknown field; there is appLabel");
            }
        }
        Object appLabel = context.args().getOrDefault("appLabel", USUAL_APP_LABEL);
        if (appLabel instanceof String label && !label.isEmpty()) {
            return new PodsPerNode(label);
        }
        throw new IllegalArgumentException("args.appLabel: expected the key of a label, got " + appLabel);
    }
}
