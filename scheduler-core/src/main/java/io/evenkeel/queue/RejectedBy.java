package io.evenkeel.queue;

import io.evenkeel.api.Status;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.run.Objection;
import java.util.Set;
import java.util.TreeSet;

/**
 * The plugins that turned a pod away: their hints can wake it. Where none is named, no hint can: the pod is tried again
 * as after an error.
 *
 * @param plugins the plugins that said no
 * @param pendingPlugins the plugins that said "not yet": their change lets the pod in at once, without backoff
 * @param others plugins that have said nothing yet, though what helps them may help the pod; metrics do not count them
 * @param nominatedPods whether room that is left for others had a part in it, which no plugin's hint knows of
 * @param gang whether the pod was tried with all of a gang
 */
public record RejectedBy(
        Set<String> plugins, Set<String> pendingPlugins, Set<String> others, boolean nominatedPods, boolean gang) {
    public static final RejectedBy NONE = new RejectedBy(Set.of(), Set.of());

    public RejectedBy {
        plugins = Set.copyOf(plugins);
        pendingPlugins = Set.copyOf(pendingPlugins);
        others = Set.copyOf(others);
    }

    public RejectedBy(Set<String> plugins, Set<String> pendingPlugins) {
        this(plugins, pendingPlugins, Set.of(), false, false);
    }

    /** Returns them, with the pods that are nominated if these had a part. */
    public RejectedBy withNominatedPods(boolean had) {
        return new RejectedBy(plugins, pendingPlugins, others, had, gang);
    }

    /**
     * The plugins that had a part in a gang fitting nowhere.
     *
     * @param plugin that makes it one
     * @param filters the filters that may have kept one of its pods from nodes
     * @param isAny whether something else had a part, or it is not known who had, so that any change may help
     */
    public static RejectedBy ofGang(String plugin, Set<String> filters, boolean isAny) {
        return new RejectedBy(Set.of(plugin), Set.of(), filters, isAny, true);
    }

    boolean isNobody() {
        return plugins.isEmpty() && pendingPlugins.isEmpty();
    }

    /** One plugin, by its verdict. */
    public static RejectedBy of(Objection objection) {
        Set<String> plugin = Set.of(objection.plugin());
        return isPending(objection.status()) ? new RejectedBy(Set.of(), plugin) : new RejectedBy(plugin, Set.of());
    }

    /** All that had a part in a pod fitting nowhere, those included that narrowed the choice of nodes. */
    public static RejectedBy of(Diagnosis diagnosis) {
        Set<String> plugins = new TreeSet<>(diagnosis.narrowedBy());
        Set<String> pending = new TreeSet<>();
        if (diagnosis.preFilter().isPresent()) {
            Diagnosis.PreFilterRejection rejection = diagnosis.preFilter().get();
            if (!rejection.plugin().isEmpty()) {
                (isPending(rejection.status()) ? pending : plugins).add(rejection.plugin());
            }
            return new RejectedBy(plugins, pending, diagnosis.alsoInTheWay(), false, false);
        }
        for (Rejection rejection : diagnosis.rejections()) {
            (isPending(rejection.status()) ? pending : plugins).add(rejection.plugin());
        }
        return new RejectedBy(plugins, pending, diagnosis.alsoInTheWay(), false, false);
    }

    private static boolean isPending(Status status) {
        return status.code() == Status.Code.PENDING;
    }
}
