package io.evenkeel.testing;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Java programs that tests start, each in a process of its own. */
public final class Java {
    private Java() {}

    /** A command line with the compiler and the collector of this JVM: most programs end before better ones have paid. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:"))
                .forEach(command::add);
        command.addAll(List.of(arguments));
        return command;
    }
}
