package io.evenkeel.app.metrics;

/**
 * The Kubernetes release of the scheduler that Evenkeel equals. Where components of a cluster are compared by their versions,
 * as the alert KubeVersionMismatch of kubernetes-mixin does, this is the one that counts; that of Evenkeel comes after it
 * as build metadata, as distributions of Kubernetes have theirs.
 */
public final class KubernetesVersion {
    static final String MAJOR = "1";
    static final String MINOR = "36";
    public static final String MINOR_RELEASE = MAJOR + "." + MINOR;
    private static final String RELEASE = "v" + MINOR_RELEASE + ".0";

    private KubernetesVersion() {}

    /** Such as {@code v1.36.0+evenkeel.0.1.0}. */
    static String of(String version) {
        return RELEASE + "+evenkeel" + (version.matches("[0-9A-Za-z.-]+") ? "." + version : "");
    }
}
