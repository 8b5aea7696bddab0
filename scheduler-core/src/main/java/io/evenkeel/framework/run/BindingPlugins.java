package io.evenkeel.framework.run;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import java.util.List;

/** A profile's plugins that are run around a binding and off the engine's thread, and what measures their points. */
record BindingPlugins(
        List<PreBindPlugin> preBinds,
        List<BindPlugin> binds,
        List<PostBindPlugin> postBinds,
        PluginCalls calls,
        Stopwatch preBindWatch,
        Stopwatch bindWatch,
        Stopwatch postBindWatch) {
    BindingPlugins(
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds,
            PluginCalls calls,
            ProfileObserver observer) {
        this(
                preBinds,
                binds,
                postBinds,
                calls,
                observer.at(MeasuredPoint.PRE_BIND, preBinds),
                observer.at(MeasuredPoint.BIND, binds),
                observer.at(MeasuredPoint.POST_BIND, postBinds));
    }
}
