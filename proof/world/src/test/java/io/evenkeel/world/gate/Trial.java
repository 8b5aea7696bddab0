package io.evenkeel.world.gate;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A broken scheduler, compiled, and worlds that it is played in: in a process of its own, as it may break that too. */
final class Trial {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Mutation mutation;
    private final Path classes;

    /** @param classes an empty directory */
    Trial(Mutation mutation, Path classes) {
        this.mutation = mutation;
        this.classes = classes;
    }

    /** The seed of the first world that goes wrong, and how; empty where none does. */
    Optional<String> firstWrong(long seeds) throws IOException, InterruptedException {
        return played(Play.class, "1", Long.toString(seeds)).map(List::getLast);
    }

    /** How the world of a seed, which has these features too, goes wrong with the scheduler as it is; empty where it does not. */
    static Optional<String> wrongUnbroken(long seed, String features) throws IOException, InterruptedException {
        String only = Long.toString(seed);
        return play(CLASS_PATH, "the scheduler as it is", features, Play.class, only, only)
                .map(List::getLast);
    }

    /** What a program says that ends as {@link Play} does; empty where it finds nothing wrong. */
    Optional<List<String>> played(Class<?> program, String... arguments) throws IOException, InterruptedException {
        compile();
        return play(
                classes + System.getProperty("path.separator") + CLASS_PATH,
                "\"" + mutation.name() + "\"",
                mutation.features(),
                program,
                arguments);
    }

    private static Optional<List<String>> play(
            String classPath, String what, String features, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                // most end after few worlds, long before the better compiler has paid
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "-Dworld.with=" + features,
                "-cp",
                classPath,
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return switch (process.waitFor()) {
                case Play.NOTHING_WRONG -> Optional.empty();
                case Play.WRONG -> Optional.of(said.lines().toList());
                default -> throw new IllegalStateException(what + " cannot be played");
            };
        } finally {
            process.destroyForcibly();
        }
    }

    /** Fails where what is broken is no program any more. */
    void compile() throws IOException {
        StringWriter problems = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-implicit:none", "-parameters", "-cp", CLASS_PATH, "-d", classes.toString());
        boolean compiled = COMPILER.getTask(problems, null, null, options, null, List.of(source()))
                .call();
        if (!compiled) {
            throw new IllegalStateException("\"" + mutation.name() + "\" no longer compiles: " + problems);
        }
        if (!Files.isDirectory(classes.resolve("io"))) {
            throw new IllegalStateException("\"" + mutation.name() + "\" compiles to nothing");
        }
    }

    private JavaFileObject source() {
        String text = String.join("\n", mutation.applyTo(Mutations.source(mutation)));
        String name = mutation.file().substring(mutation.file().indexOf("/java/") + "/java".length());
        return new SimpleJavaFileObject(URI.create("string://" + name), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreErrors) {
                return text;
            }
        };
    }
}
