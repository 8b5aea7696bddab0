package io.evenkeel.image.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Commands of this system that the tests need. */
final class Processes {
    private Processes() {}

    /** What it printed; a failure is the test's. */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(List.of(command) + " ended with " + process.exitValue() + ": " + output);
        }
        return output;
    }
}
