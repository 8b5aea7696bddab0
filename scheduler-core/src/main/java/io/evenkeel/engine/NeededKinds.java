package io.evenkeel.engine;

import io.evenkeel.api.Plugin;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.ConfigurationException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The kinds that scheduling by some profiles needs: what is scheduled and where, and what the plugins read. */
public final class NeededKinds {
    private NeededKinds() {}

    /** In the order in which they are best listed; plugins' own come first. */
    public static List<Kind<?>> of(Collection<SchedulingProfile> profiles) {
        Set<Kind<?>> needed = new LinkedHashSet<>(Kinds.ALWAYS_WATCHED);
        Kinds known = Kinds.IN_TREE;
        for (SchedulingProfile profile : profiles) {
            for (Plugin plugin : profile.plugins()) {
                needed.addAll(readBy(plugin));
                try {
                    known = known.with(needed);
                } catch (IllegalArgumentException clash) {
                    throw new ConfigurationException(
                            "plugin " + plugin.name() + " brings a kind that cannot be read: " + clash.getMessage());
                }
            }
        }
        return known.all().stream().filter(needed::contains).toList();
    }

    private static Set<Kind<?>> readBy(Plugin plugin) {
        try {
            Set<Kind<?>> kinds = new LinkedHashSet<>(plugin.reads());
            kinds.forEach(Objects::requireNonNull);
            return kinds;
        } catch (Throwable thrown) {
            throw new ConfigurationException("plugin " + plugin.name() + " does not say what it reads: "
                    + PluginFault.of(thrown).getMessage());
        }
    }
}
