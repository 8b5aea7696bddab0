package io.evenkeel.framework;

/** A plugin failed on a pod: not a verdict but a fault. The pod is tried again later. */
public final class PluginFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String plugin;

    public PluginFailure(String plugin, String extensionPoint, String what) {
        this(plugin, text(plugin, extensionPoint, what));
    }

    PluginFailure(String plugin, String message) {
        super(message);
        this.plugin = plugin;
    }

    /** The reference's words for it. */
    public static String text(String plugin, String extensionPoint, String what) {
        return "running " + extensionPoint + " plugin \"" + plugin + "\": " + what;
    }

    /** As a plugin's answer. */
    public Objection asObjection() {
        return new Objection(plugin, Status.error(this));
    }
}
