package io.evenkeel.framework;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.PluginContext;
import io.evenkeel.api.PluginFactory;
import java.util.function.Function;

/** The factory of a plugin of the tree, as a class: a module that brings plugins announces it as those of others are announced. */
public abstract class TreeFactory<P extends Plugin> implements PluginFactory {
    private final String name;
    private final Class<P> type;
    private final int defaultWeight;
    private final Function<TreeContext, P> create;

    protected TreeFactory(String name, Class<P> type, Function<TreeContext, P> create) {
        this(name, type, 1, create);
    }

    protected TreeFactory(String name, Class<P> type, int defaultWeight, Function<TreeContext, P> create) {
        this.name = name;
        this.type = type;
        this.defaultWeight = defaultWeight;
        this.create = create;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<P> type() {
        return type;
    }

    @Override
    public int defaultWeight() {
        return defaultWeight;
    }

    @Override
    public Plugin create(PluginContext context) {
        return create.apply((TreeContext) context);
    }
}
