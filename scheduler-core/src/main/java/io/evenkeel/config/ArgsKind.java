package io.evenkeel.config;

import io.evenkeel.config.yaml.Fields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** A built-in kind of plugin arguments, and how it is read. */
record ArgsKind(String pluginName, PluginArgs defaults, Function<Fields, PluginArgs> binder) {
    private static final List<ArgsKind> ALL = List.of(
            new ArgsKind("DefaultPreemption", DefaultPreemptionArgs.defaults(), SimpleArgs::preemption),
            new ArgsKind("DynamicResources", DynamicResourcesArgs.defaults(), SimpleArgs::dynamicResources),
            new ArgsKind("InterPodAffinity", InterPodAffinityArgs.defaults(), SimpleArgs::podAffinity),
            new ArgsKind("NodeAffinity", NodeAffinityArgs.defaults(), NodeAffinityBinder::args),
            new ArgsKind(
                    "NodeResourcesBalancedAllocation",
                    NodeResourcesBalancedAllocationArgs.defaults(),
                    NodeResourcesBinder::balancedAllocation),
            new ArgsKind("NodeResourcesFit", NodeResourcesFitArgs.defaults(), NodeResourcesBinder::fit),
            new ArgsKind("PodTopologySpread", PodTopologySpreadArgs.defaults(), TopologySpreadBinder::args),
            new ArgsKind("VolumeBinding", VolumeBindingArgs.defaults(), SimpleArgs::volumeBinding));

    static Optional<ArgsKind> ofPlugin(String pluginName) {
        return ALL.stream().filter(kind -> kind.pluginName.equals(pluginName)).findFirst();
    }

    static Optional<ArgsKind> ofKind(Object kindName) {
        return ALL.stream().filter(kind -> kind.kindName().equals(kindName)).findFirst();
    }

    /** Gives the enabled plugins that have no arguments yet their defaults, in the order of their names. */
    static void addDefaults(Plugins plugins, Map<String, PluginArgs> args) {
        TreeSet<String> enabled = new TreeSet<>();
        plugins.sets().values().forEach(set -> set.enabled().forEach(plugin -> enabled.add(plugin.name())));
        for (String name : enabled) {
            ofPlugin(name).ifPresent(kind -> args.putIfAbsent(name, kind.defaults));
        }
    }

    String kindName() {
        return pluginName + "Args";
    }

    PluginArgs bind(Fields args) {
        return binder.apply(args);
    }
}
