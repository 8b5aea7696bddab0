package io.evenkeel.api;

import java.util.function.Function;

/**
 * Makes a plugin for a profile. The factories of out-of-tree plugins are found by {@link java.util.ServiceLoader}, each in
 * a class loader of its own.
 *
 * @since 0.1
 */
public interface PluginFactory {
    /** The name by which configurations enable the plugin. */
    String name();

    /** The class of the plugins made; the extension points that it implements are the ones it can be enabled at. */
    Class<? extends Plugin> type();

    Plugin create(PluginContext context);

    /** Returns the weight of its scores where a profile enables it without one. */
    default int defaultWeight() {
        return 1;
    }

    static <P extends Plugin> PluginFactory of(String name, Class<P> type, Function<PluginContext, P> create) {
        return of(name, type, 1, create);
    }

    /** The same with another default weight. */
    static <P extends Plugin> PluginFactory of(
            String name, Class<P> type, int defaultWeight, Function<PluginContext, P> create) {
        return new PluginFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Class<P> type() {
                return type;
            }

            @Override
            public Plugin create(PluginContext context) {
                return create.apply(context);
            }

            @Override
            public int defaultWeight() {
                return defaultWeight;
            }
        };
    }
}
