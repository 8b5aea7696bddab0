package io.evenkeel.whatif.why;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A plugin that explains its verdicts in one answer. Where it fails, what it would have said is left out of the answer, and that it
 * failed is said there instead: not how, as whoever asks may not know of all pods.
 */
final class FallibleExplanations implements ExplainingPlugin {
    private static final Account FAILED = new Account.Words(
            "failed as it was to explain itself; what it counts or knows to help may be missing here");

    private final ExplainingPlugin plugin;
    private final Consumer<PluginFailure> failures;
    private boolean hasFailed;

    /** @param failures hears of the first in each answer */
    FallibleExplanations(ExplainingPlugin plugin, Consumer<PluginFailure> failures) {
        this.plugin = plugin;
        this.failures = failures;
    }

    @Override
    public String name() {
        return plugin.name();
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return allOr(() -> plugin.accounts(pod));
    }

    @Override
    public List<Account> rulesInForce(PodInfo pod) {
        return allOr(() -> plugin.rulesInForce(pod));
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return saidOr(0d, () -> plugin.distance(pod, node));
    }

    @Override
    public List<Labels> labelsOfNewNodes(PodInfo pod) {
        return allOr(() -> plugin.labelsOfNewNodes(pod));
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return allOr(() -> plugin.remedies(pod, node).stream().map(List::copyOf).toList());
    }

    /** That it failed since the answer was begun, if it did. */
    Optional<Answer.Rule> failure() {
        return hasFailed ? Optional.of(new Answer.Rule(name(), FAILED)) : Optional.empty();
    }

    /** A list with nothing in the place of something is none. */
    private <T> List<T> allOr(Supplier<List<T>> explanation) {
        return saidOr(List.of(), () -> List.copyOf(explanation.get()));
    }

    private <T> T saidOr(T nothing, Supplier<T> explanation) {
        try {
            return Objects.requireNonNull(explanation.get(), "the plugin has answered null");
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            if (hasFailed) {
                return nothing;
            }
            hasFailed = true;
            PluginFailure failure =
                    new PluginFailure(name(), "Explain", Status.error(fault).message());
            failure.initCause(fault);
            failure.setStackTrace(fault.getStackTrace());
            failures.accept(failure);
            return nothing;
        }
    }
}
