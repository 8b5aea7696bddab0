package io.evenkeel.api;

import java.util.Set;

/**
 * A plugin's answer before nodes are filtered.
 *
 * @since 0.1
 */
public sealed interface PreFilterResult {

    /** Go on with the plugin's filter. */
    record Proceed() implements PreFilterResult {}

    /** The plugin has nothing to object to on any node: its filter is left out. */
    record Skip() implements PreFilterResult {}

    /** Only these nodes come into question; go on with the plugin's filter. */
    record OnlyNodes(Set<String> names) implements PreFilterResult {}

    /** The pod fits nowhere. */
    record Rejected(Status status) implements PreFilterResult {}

    PreFilterResult PROCEED = new Proceed();
    PreFilterResult SKIP = new Skip();
}
