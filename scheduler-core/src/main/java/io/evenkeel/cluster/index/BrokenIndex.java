package io.evenkeel.cluster.index;

/**
 * An index has thrown. Some of the indexes have been told of a change by then and others have not, so that what is kept is
 * not to be trusted any more: it is no plugin's fault at one pod, which would be dealt with, but ends the process.
 */
public final class BrokenIndex extends Error {
    private static final long serialVersionUID = 1L;

    public BrokenIndex(ClusterIndex index, Throwable thrown) {
        super("the index " + index.name() + " has failed: " + thrown, thrown);
    }
}
