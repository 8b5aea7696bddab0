package io.evenkeel.app.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that the jar was built as. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"evenkeel " + number()};
    }

    /** Without the program's name. */
    public String number() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("(not built as a jar)");
    }
}
