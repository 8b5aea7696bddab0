package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Types kubectl's commands, as far as the demo shows any: what they name has to be there, and what they make is made. */
final class Typist {
    private final Stage stage;

    Typist(Stage stage) {
        this.stage = stage;
    }

    void type(String command) throws Exception {
        List<String> words = Arrays.asList(command.strip().split(" +"));
        String namespace = after(words, "-n").orElse("default");
        requireObject(ResourceTable.NAMESPACES, "", namespace);
        List<String> rest = words.subList(after(words, "-n").isPresent() ? 3 : 1, words.size());
        switch (rest.getFirst()) {
            case "apply" ->
                stage.user()
                        .create(
                                namespace,
                                Files.readString(Path.of(after(rest, "-f").orElseThrow())));
            case "cordon", "uncordon" -> requireObject(ResourceTable.NODES, "", rest.get(1));
            case "scale" -> {
                assertThat(rest.get(1)).isEqualTo("deployment");
                requireObject(ResourceTable.DEPLOYMENTS, namespace, rest.get(2));
            }
            case "delete" -> assertThat(rest.get(1)).isEqualTo("pod"); // which the story has deleted
            case "get" -> assertThat(rest.get(1)).isIn("pods", "events", "nodes", "resourceclaims");
            default -> throw new AssertionError("nobody has tried this command yet");
        }
    }

    private void requireObject(ResourceType type, String namespace, String name) {
        assertThat(stage.world().objects().get(type, namespace, name)).as(name).isPresent();
    }

    private static Optional<String> after(List<String> words, String option) {
        int at = words.indexOf(option);
        return at < 0 ? Optional.empty() : Optional.of(words.get(at + 1));
    }
}
