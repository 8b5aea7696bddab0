package io.evenkeel.kube.client.access;

import io.evenkeel.config.yaml.ErrorLog;
import io.evenkeel.config.yaml.YamlText;
import io.evenkeel.file.FileContent;
import io.evenkeel.kube.client.credential.ClientConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads one kubeconfig file. */
final class KubeconfigFile {
    private static final List<String> LISTS = List.of("clusters", "contexts", "users");

    private KubeconfigFile() {}

    /** Its root; without a field where the file is empty. */
    static KubeconfigSection read(Path path) {
        Path absolute = path.toAbsolutePath();
        String text = text(absolute);
        KubeconfigSection root =
                new KubeconfigSection(absolute, "", saysNothing(text) ? Map.of() : tree(absolute, text));
        // What is wrong with a list is told also where what is looked for has been found before it.
        LISTS.forEach(root::sections);
        return root;
    }

    private static boolean saysNothing(String text) {
        return text.lines().map(String::strip).allMatch(line -> line.isEmpty() || line.startsWith("#"));
    }

    private static Map<String, Object> tree(Path absolute, String text) {
        ErrorLog errors = new ErrorLog(String.valueOf(absolute));
        return YamlText.parse(text, errors)
                .flatMap(root -> root.tree())
                .filter(read -> errors.isEmpty())
                .orElseThrow(() -> new ClientConfigurationException("kubeconfig cannot be read: "
                        + errors.lines().stream().findFirst().orElse(absolute + " is no mapping")));
    }

    private static String text(Path path) {
        if (!Files.exists(path)) {
            throw new ClientConfigurationException("kubeconfig " + path + " does not exist");
        }
        try {
            return FileContent.text(path);
        } catch (IOException unreadable) {
            throw new ClientConfigurationException(
                    "kubeconfig " + path + " cannot be read: " + ClientConfigurationException.reason(unreadable),
                    unreadable);
        }
    }
}
