package io.evenkeel.app.cli;

import static io.evenkeel.testing.Patience.await;

import io.evenkeel.testing.Java;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code evenkeel run} as a process of its own, and what it logs. */
final class RunProcess implements AutoCloseable {
    private final Path log;
    private final Process process;

    RunProcess(Path log, String... arguments) throws IOException {
        this.log = log;
        List<String> command =
                Java.command("-cp", System.getProperty("java.class.path"), "io.evenkeel.app.cli.Evenkeel", "run");
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(log.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    List<String> log() {
        try {
            return Files.readAllLines(log);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    void awaitLogged(String part) {
        await("\"" + part + "\" is logged").until(() -> log().stream().anyMatch(line -> line.contains(part)));
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
