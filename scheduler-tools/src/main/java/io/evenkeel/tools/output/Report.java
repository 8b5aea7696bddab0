package io.evenkeel.tools.output;

import io.evenkeel.model.write.Tree;

/** A command's report. */
public interface Report {
    /** For programs; the docs describe its fields. */
    Tree tree();

    /** For people, in lines no longer than that where words allow it. */
    String text(Layout layout);

    /** The text in full, where it is cut otherwise. */
    default String wide(Layout layout) {
        return text(layout);
    }
}
