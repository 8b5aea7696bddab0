package io.evenkeel.image.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of an image with arguments, as a kubelet starts it: see {@code src/test/in-root}. */
final class Container implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path out;
    private final Path err;
    private final long started = System.nanoTime();

    private Container(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** With the files of a folder in its /tmp, and more options for the JVM as the chart hands them in. */
    static Container start(UnpackedImage image, Path files, String javaOptions, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of("src/test/in-root").toAbsolutePath().toString(),
                image.root().toString(),
                image.user(),
                image.workingDirectory()));
        command.addAll(image.entrypoint());
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile("container", ".out");
        Path err = Files.createTempFile("container", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
        builder.environment().put("IN_ROOT_FILES", files.toString());
        builder.environment().put("JDK_JAVA_OPTIONS", javaOptions);
        return new Container(builder.start(), out, err);
    }

    /** How long it took from the start until its log had the words. */
    Duration await(String words) throws InterruptedException {
        long deadline = started + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!err().contains(words)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new AssertionError("no '" + words + "' in:\n" + err());
            }
            Thread.sleep(5);
        }
        return Duration.ofNanos(System.nanoTime() - started);
    }

    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("it does not end:\n" + out() + err());
        }
        return process.exitValue();
    }

    int stop() throws InterruptedException {
        process.destroy();
        return awaitEnd();
    }

    String out() {
        return text(out);
    }

    String err() {
        return text(err);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.delete(out);
        Files.delete(err);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
