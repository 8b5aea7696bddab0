package io.evenkeel.engine.why;

import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.PluginFault;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.function.Supplier;

/** A plugin whose name is said where it fails to explain itself. */
record NamedFaults(ExplainingPlugin plugin) implements ExplainingPlugin {
    @Override
    public String name() {
        return plugin.name();
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return named(() -> plugin.accounts(pod));
    }

    @Override
    public List<Account> rulesInForce(PodInfo pod) {
        return named(() -> plugin.rulesInForce(pod));
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return named(() -> plugin.distance(pod, node));
    }

    @Override
    public List<Labels> labelsOfNewNodes(PodInfo pod) {
        return named(() -> plugin.labelsOfNewNodes(pod));
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return named(() -> plugin.remedies(pod, node));
    }

    private <T> T named(Supplier<T> explanation) {
        try {
            return explanation.get();
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            PluginFailure failure = new PluginFailure(plugin.name(), "Explain", String.valueOf(fault));
            failure.initCause(fault);
            failure.setStackTrace(fault.getStackTrace());
            throw failure;
        }
    }
}
