package io.evenkeel.cluster.shape;

import io.evenkeel.model.Pod;

/**
 * A pod's demands on its node, in the five readings that the reference keeps apart.
 *
 * @param asked what is filtered by: the spec, whatever the status says
 * @param requests what the pod takes: what a node's requested amounts are the sums of
 * @param nonZeroCpu cpu as scoring sums it up on nodes: a container that asks for none counts as 100m
 * @param nonZeroMemory memory in the same way: 200Mi
 * @param scored what NodeResourcesFit scores the pod itself by: cpu and memory with those defaults, and without
 *     pod-level requests, which its scorer never sees
 */
public record PodResources(
        ResourceVector asked, ResourceVector requests, long nonZeroCpu, long nonZeroMemory, ResourceVector scored) {

    /** Written out, as a facet is looked for by {@link #hash(ResourceVector.Probe)}, which must agree. */
    @Override
    public int hashCode() {
        return hash(asked.hashCode(), requests.hashCode(), nonZeroCpu, nonZeroMemory, scored.hashCode());
    }

    private static int hash(int asked, int requests, long nonZeroCpu, long nonZeroMemory, int scored) {
        return 31 * (31 * (31 * (31 * asked + requests) + Long.hashCode(nonZeroCpu)) + Long.hashCode(nonZeroMemory))
                + scored;
    }

    /** The hash of resources that are these amounts in every reading. */
    static int hash(ResourceVector.Probe amounts) {
        int hash = amounts.hash();
        return hash(hash, hash, amounts.amountOf(ResourceNames.CPU), amounts.amountOf(ResourceNames.MEMORY), hash);
    }

    /** Whether they are these amounts in every reading. */
    static boolean areAll(ResourceVector.Probe amounts, PodResources resources) {
        return amounts.isLike(resources.asked)
                && amounts.isLike(resources.requests)
                && amounts.isLike(resources.scored)
                && resources.nonZeroCpu == amounts.amountOf(ResourceNames.CPU)
                && resources.nonZeroMemory == amounts.amountOf(ResourceNames.MEMORY);
    }

    /** For a pod with known resource names, as pods in place have: new ones would never be forgotten. */
    public static PodResources of(Pod pod, ResourceNames names, PodRequests footprint) {
        return new PodResourcesReader(names, footprint).read(pod);
    }

    void acquire(ResourceNames names) {
        names.acquire(asked);
        names.acquire(requests);
        names.acquire(scored);
    }

    void release(ResourceNames names) {
        names.release(asked);
        names.release(requests);
        names.release(scored);
    }
}
