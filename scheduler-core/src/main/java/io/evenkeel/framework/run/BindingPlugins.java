package io.evenkeel.framework.run;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.BindPlugin;
import io.evenkeel.framework.PostBindPlugin;
import io.evenkeel.framework.PreBindPlugin;
import java.util.List;

/** A profile's plugins that are run around a binding and off the engine's thread, and what measures their points. */
record BindingPlugins(
        List<PreBindPlugin> preBinds,
        List<BindPlugin> binds,
        List<PostBindPlugin> postBinds,
        PluginCalls calls,
        PointProbe preBindProbe,
        PointProbe bindProbe,
        PointProbe postBindProbe) {
    BindingPlugins(
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds,
            PluginCalls calls,
            ProfileProbe profile) {
        this(
                preBinds,
                binds,
                postBinds,
                calls,
                profile.at(ExtensionPoint.PRE_BIND, preBinds),
                profile.at(ExtensionPoint.BIND, binds),
                profile.at(ExtensionPoint.POST_BIND, postBinds));
    }
}
