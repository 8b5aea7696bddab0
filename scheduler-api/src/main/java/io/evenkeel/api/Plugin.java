package io.evenkeel.api;

import io.evenkeel.model.kind.Kind;
import java.util.Set;

/**
 * A scheduler plugin. It takes part at the extension points that it implements the interfaces of; the configuration decides
 * at which of them it is enabled.
 *
 * @since 0.1
 */
public interface Plugin {
    String name();

    /**
     * The kinds of objects that it reads, beside nodes, pods and namespaces; it may bring kinds of its own. They are
     * watched where it is enabled, and no pod is placed before they have come whole. Always the same.
     */
    default Set<Kind<?>> reads() {
        return Set.of();
    }
}
