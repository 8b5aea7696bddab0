package io.evenkeel.framework;

/** A plugin failed on a pod: not a verdict but a fault. The pod is tried again later. */
public final class PluginFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PluginFailure(String plugin, String extensionPoint, String what) {
        super("running " + extensionPoint + " plugin \"" + plugin + "\": " + what);
    }
}
