package io.evenkeel.app.cli.simulate;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** A writer that others go on to use: closing it only sends off what it holds. */
final class KeptOpen extends FilterWriter {
    KeptOpen(Writer out) {
        super(out);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
