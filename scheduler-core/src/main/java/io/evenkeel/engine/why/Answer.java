package io.evenkeel.engine.why;

import io.evenkeel.framework.why.Account;
import io.evenkeel.model.Pod;
import java.util.List;

/**
 * Why a pod fits nowhere.
 *
 * @param rules what the plugins count that turn nodes away
 * @param nearest the nodes that least is in the way of, nearest first
 * @param remedies what would help, the mildest first: each was tried
 * @param inVain what people would think of, and does not help
 */
public record Answer(
        Pod pod,
        Funnel funnel,
        List<Rule> rules,
        List<NearNode> nearest,
        List<Remedy> remedies,
        List<VainChange> inVain) {

    /** What a plugin counts for one of its rules. */
    public record Rule(String plugin, Account account) {}
}
