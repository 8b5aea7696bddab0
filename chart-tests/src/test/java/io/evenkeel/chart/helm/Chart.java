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
            Path.of("..", "charts", "evenkeel").toAbsolutePath().normalize();

    private static final String NAMESPACE = "kube-system";
    private static final String SERVER = "v1.34.0";

    private Chart() {}

    /** Renders a release named {@code evenkeel}. */
    public static Manifests render(String values) {
        return render("evenkeel", values);
    }

    /**
     * Renders a release.
     *
     * @throws IllegalStateException if Helm refuses the values, with what it says
     */
    public static Manifests render(String release, String values) {
        return withFile(values, file -> {
            TemplateCommand template = new Helm(FOLDER)
                    .template()
                    .withName(release)
                    .withNamespace(NAMESPACE)
                    .withKubeVersion(SERVER)
                    .withValuesFile(file);
            return Manifests.of(release, NAMESPACE, template.call());
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
