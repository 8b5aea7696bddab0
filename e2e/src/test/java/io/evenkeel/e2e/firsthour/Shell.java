package io.evenkeel.e2e.firsthour;

import static io.evenkeel.e2e.scene.Eventually.eventually;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.testing.Java;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/**
 * As much of a shell as a new user's commands take. {@code evenkeel} is called in this process, but for what stays in the
 * background behind {@code &}; kubectl and curl are of a few lines. {@code $PORT} is a free one.
 */
final class Shell implements AutoCloseable {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

    private final Path home;
    private final String port;
    private final List<Job> jobs = new ArrayList<>();

    Shell(Path home) throws IOException {
        this.home = home;
        try (ServerSocket free = new ServerSocket(0)) {
            port = String.valueOf(free.getLocalPort());
        }
    }

    /** The outcome of a command. Files are named as they were typed. */
    record Answer(int exitCode, String out, String err) {}

    /** Begun with {@code &}: {@code %1} is the first. */
    private record Job(Process process, Path said) {}

    /** @param isAnswered whether that which a command in the background has said so far is what is waited for */
    Answer type(String line, Predicate<String> isAnswered) throws Exception {
        List<String> lines = line.lines().toList();
        List<String> words = words(lines.getFirst().replace("$PORT", port));
        int pipe = words.indexOf("|");
        if (pipe >= 0) {
            String in = run(words.subList(0, pipe), isAnswered).out();
            InputStream before = System.in;
            System.setIn(new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)));
            try {
                return run(words.subList(pipe + 1, words.size()), isAnswered);
            } finally {
                System.setIn(before);
            }
        }
        int into = words.indexOf(">");
        if (into < 0) {
            return run(words, isAnswered);
        }
        Path file = file(words.get(into + 1));
        if (words.getLast().equals("<<END")) {
            Files.write(file, lines.subList(1, lines.size() - 1));
            return new Answer(0, "", "");
        }
        Answer answer = run(words.subList(0, into), isAnswered);
        Files.writeString(file, answer.out());
        return new Answer(answer.exitCode(), "", answer.err());
    }

    private Answer run(List<String> words, Predicate<String> isAnswered) throws Exception {
        List<String> rest = words.subList(1, words.size());
        return switch (words.getFirst()) {
            case "evenkeel", "./evenkeel" ->
                rest.contains("&") ? begin(rest.subList(0, rest.size() - 1), isAnswered) : evenkeel(rest);
            case "kubectl" -> new Kubectl(home).run(rest);
            case "curl" -> new Answer(0, fetch(URI.create("http://" + rest.getLast())), "");
            case "cat" -> new Answer(0, Files.readString(file(rest.getFirst())), "");
            case "echo" -> new Answer(0, String.join(" ", rest), "");
            case "kill" -> end(jobs.get(Integer.parseInt(rest.getFirst().substring(1)) - 1));
            default -> throw new IllegalArgumentException("there is no " + words.getFirst() + " here");
        };
    }

    private Answer evenkeel(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.stream().map(this::path).toArray(String[]::new));
        return new Answer(exitCode, asTyped(out.toString()), asTyped(err.toString()));
    }

    private Answer begin(List<String> arguments, Predicate<String> isAnswered) throws IOException {
        List<String> command =
                Java.command("-cp", System.getProperty("java.class.path"), "io.evenkeel.app.cli.Evenkeel");
        command.addAll(arguments);
        Path said = home.resolve("job-" + (jobs.size() + 1));
        Job job = new Job(
                new ProcessBuilder(command)
                        .directory(home.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start(),
                said);
        jobs.add(job);
        try {
            eventually("the answer to " + arguments)
                    .until(() -> isAnswered.test(Files.readString(said))
                            || !job.process().isAlive());
        } catch (ConditionTimeoutException late) {
            // what it has said tells more
        }
        return new Answer(job.process().isAlive() ? 0 : job.process().exitValue(), Files.readString(said), "");
    }

    private static Answer end(Job job) throws IOException, InterruptedException {
        job.process().destroy();
        return new Answer(job.process().waitFor(), Files.readString(job.said()), "");
    }

    private static String fetch(URI uri) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    /** A process has one working directory, so files are named from there. */
    private String path(String word) {
        String file = word.substring(word.indexOf('=') + 1);
        return file.matches("[a-z][-./a-z0-9]*\\.(yaml|jsonl)")
                ? word.substring(0, word.length() - file.length()) + file(file)
                : word;
    }

    private Path file(String name) {
        return (name.startsWith("docs/") ? CHECKOUT : home).resolve(name);
    }

    private String asTyped(String text) {
        return text.replace(home + "/", "").replace(CHECKOUT + "/", "");
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isQuoted = false;
        for (char c : (line + " ").toCharArray()) {
            if (c == '\'') {
                isQuoted = !isQuoted;
            } else if (c != ' ' || isQuoted) {
                word.append(c);
            } else if (!word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
            }
        }
        return words;
    }

    @Override
    public void close() {
        for (Job job : jobs) {
            job.process().destroyForcibly();
            try {
                job.process().waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UncheckedIOException(new IOException(e));
            }
        }
    }
}
