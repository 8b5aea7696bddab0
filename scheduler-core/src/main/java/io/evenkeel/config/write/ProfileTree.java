package io.evenkeel.config.write;

import io.evenkeel.config.EnabledPlugin;
import io.evenkeel.config.PluginSet;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Profile;

/** A profile as it is written. */
final class ProfileTree {
    private ProfileTree() {}

    static Tree of(Profile profile) {
        Tree tree = new Tree().put("schedulerName", profile.schedulerName());
        profile.percentageOfNodesToScore().ifPresent(percentage -> tree.put("percentageOfNodesToScore", percentage));
        return tree.put("plugins", plugins(profile.plugins()))
                .put(
                        "pluginConfig",
                        profile.pluginArgs().entrySet(),
                        entry -> new Tree()
                                .put("name", entry.getKey())
                                .put("args", ArgsTree.of(entry.getValue(), entry.getKey())));
    }

    private static Tree plugins(Plugins plugins) {
        Tree tree = new Tree();
        plugins.sets().forEach((point, set) -> tree.put(point.configName(), set(set)));
        return tree;
    }

    private static Tree set(PluginSet set) {
        return new Tree()
                .put("enabled", set.enabled(), ProfileTree::enabled)
                .put("disabled", set.disabled(), name -> new Tree().put("name", name));
    }

    private static Tree enabled(EnabledPlugin plugin) {
        Tree tree = new Tree().put("name", plugin.name());
        return plugin.weight() == 0 ? tree : tree.put("weight", plugin.weight());
    }
}
