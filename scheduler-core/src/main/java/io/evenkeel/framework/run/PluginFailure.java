package io.evenkeel.framework.run;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.index.ClusterIndex.BrokenIndex;
import java.util.Objects;

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

    /** Wraps an exception that a plugin threw at an extension point; its stack trace is that of the exception. */
    static PluginFailure of(Plugin plugin, String extensionPoint, Throwable thrown) {
        RuntimeException fault = PluginFault.of(thrown);
        if (fault instanceof PluginFailure known) {
            return known;
        }
        PluginFailure failure = new PluginFailure(
                plugin.name(), extensionPoint, Status.error(fault).message());
        failure.initCause(thrown);
        failure.setStackTrace(thrown.getStackTrace());
        return failure;
    }

    /** The reference's words for it. */
    public static String text(String plugin, String extensionPoint, String what) {
        return "running " + extensionPoint + " plugin \"" + plugin + "\": " + what;
    }

    /** There always is one. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    /** As a plugin's answer. */
    public Objection asObjection() {
        return new Objection(plugin, Status.error(this));
    }

    /**
     * A plugin's throwable that is no {@link RuntimeException}, as one, so that it concerns its pod and nothing else: a class
     * that is missing from the plugin's folder, a recursion without end, an assertion that fails. A checked exception too, as
     * languages other than Java throw them unasked.
     */
    public static final class PluginFault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private PluginFault(Throwable thrown) {
            super(thrown.toString(), thrown);
            setStackTrace(thrown.getStackTrace());
        }

        /**
         * Wraps a throwable from where a plugin ran, to be dealt with as its exception.
         *
         * @throws BrokenIndex that, as the cluster is not known rightly any more
         * @throws VirtualMachineError that, if it is the JVM which fails, as when memory runs out: no plugin can be blamed
         */
        public static RuntimeException of(Throwable thrown) {
            return switch (thrown) {
                case RuntimeException exception -> exception;
                case BrokenIndex broken -> throw broken;
                case StackOverflowError tooDeep -> new PluginFault(tooDeep);
                case VirtualMachineError failing -> throw failing;
                default -> new PluginFault(thrown);
            };
        }
    }
}
