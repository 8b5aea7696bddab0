package io.evenkeel.framework.run;

import io.evenkeel.cluster.index.BrokenIndex;

/**
 * A plugin's throwable that is no {@link RuntimeException}, as one, so that it concerns its pod and nothing else: a class
 * that is missing from the plugin's folder, a recursion without end, an assertion that fails. A checked exception too, as
 * languages other than Java throw them unasked.
 */
public final class PluginFault extends RuntimeException {
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
