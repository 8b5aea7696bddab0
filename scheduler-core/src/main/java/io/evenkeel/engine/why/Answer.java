package io.evenkeel.engine.why;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.framework.why.Account;
import io.evenkeel.model.Pod;
import java.util.List;

/**
 * Why a pod fits nowhere.
 *
 * @param rules what the plugins count that turn nodes away
 * @param nearest the nodes that least is in the way of, nearest first
 * @param remedies what would help, the mildest first: each was tried
 * @param untold how many remedies more were found
 * @param inVain what people would think of, and does not help
 * @param awaited what may wake the pod, by the plugins that turned nodes away
 */
public record Answer(
        Pod pod,
        Funnel funnel,
        List<Rule> rules,
        List<NearNode> nearest,
        List<Remedy> remedies,
        int untold,
        List<IneffectiveChange> inVain,
        List<Awaited> awaited) {

    /** One rule of a plugin, with the plugin's counts. */
    public record Rule(String plugin, Account account) {}

    /**
     * Changes after which the pod may have another turn, if they seem to help it.
     *
     * @param changes none where any may
     */
    public record Awaited(String plugin, List<ChangeKind> changes) {}
}
