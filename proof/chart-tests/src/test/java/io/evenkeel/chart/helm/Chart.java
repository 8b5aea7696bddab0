package io.evenkeel.chart.helm;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The chart of this repository. Values are YAML texts. */
public final class Chart {
    public static final Path FOLDER =
            Path.of("../..", "charts", "evenkeel").toAbsolutePath().normalize();

    private Chart() {}

    /** Renders the usual release. */
    public static Manifests render(String values) {
        return render(Target.USUAL, values);
    }

    /**
     * Renders a release.
     *
     * @throws IllegalStateException if Helm refuses the values or the server, with what it says
     */
    public static Manifests render(Target target, String values) {
        return render(FOLDER, target, values);
    }

    /** Renders a chart of another release of Evenkeel. */
    public static Manifests render(Path chart, Target target, String values) {
        return Manifests.of(target, text(chart, target, values));
    }

    /** The usual release as Helm writes it: comments and all. */
    public static String text(String values) {
        return text(FOLDER, Target.USUAL, values);
    }

    private static String text(Path chart, Target target, String values) {
        return withFile(values, file -> {
            TemplateCommand template = new Helm(chart)
                    .template()
                    .withName(target.release())
                    .withNamespace(target.namespace())
                    .withKubeVersion(target.server())
                    .withValuesFile(file);
            return template.call();
        });
    }

    public static LintResult lint() {
        return new Helm(FOLDER).lint().strict().call();
    }

    public static String read(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    interface WithFile<T> {
        T use(Path file) throws IOException;
    }

    static <T> T withFile(String text, WithFile<T> user) {
        try {
            Path file = Files.createTempFile("evenkeel-chart-", ".yaml");
            try {
                return user.use(Files.writeString(file, text));
            } finally {
                Files.delete(file);
            }
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
