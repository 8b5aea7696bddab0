package io.evenkeel.image.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;

/** This system's C library in place of the one that an image's base has. */
final class BorrowedLibc {
    private static final Pattern LIBRARY = Pattern.compile("(/lib\\S*/\\S+\\.so\\.\\d+)");

    private BorrowedLibc() {}

    /** Copies what the runtime's binaries are linked with, and makes the folders that every base has. */
    static void into(Path root) throws IOException, InterruptedException {
        Path runtime = root.resolve("opt/evenkeel/jre");
        String linked = Processes.run(
                "ldd",
                runtime.resolve("bin/java").toString(),
                runtime.resolve("lib/server/libjvm.so").toString());
        for (String library : LIBRARY.matcher(linked)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList()) {
            Path copy = root.resolve(library.substring(1));
            Files.createDirectories(copy.getParent());
            Files.copy(Path.of(library).toRealPath(), copy, StandardCopyOption.REPLACE_EXISTING);
        }
        for (String folder : new String[] {"dev", "proc", "tmp"}) {
            Files.createDirectories(root.resolve(folder));
        }
    }
}
