package io.evenkeel.kube.patch;

/** A taker of patches. Neither blocks nor fails. */
@FunctionalInterface
public interface PatchSink {

    /** Takes the patch in the place of any of the same object that is not sent yet, and returns at once. */
    void put(MergePatch patch);
}
