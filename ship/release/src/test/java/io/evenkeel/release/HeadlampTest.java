package io.evenkeel.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Headlamp's plugin, as its catalog installs it: it asks Artifact Hub where the archive is, checks it, and unpacks its folder. */
final class HeadlampTest {
    private static final Path ARCHIVE = ReleaseFiles.file("-headlamp.tar.gz");

    @TempDir
    Path folder;

    @Test
    void artifactHubNamesTheArchiveOfThePlugin() throws Exception {
        assumeThat(ARCHIVE).as("built where there is Node").exists();
        Map<String, Object> metadata =
                new Yaml().load(Files.readString(ReleaseFiles.FOLDER.resolve("artifacthub-pkg.yml")));
        Map<?, ?> annotations = (Map<?, ?>) metadata.get("annotations");

        assertThat(metadata).containsEntry("version", ReleaseFiles.VERSION);
        assertThat(annotations.get("headlamp/plugin/archive-url"))
                .asString()
                .startsWith("https://github.com/evenkeel/evenkeel/releases/")
                .endsWith("/v" + ReleaseFiles.VERSION + "/" + ARCHIVE.getFileName());
        assertThat(annotations.get("headlamp/plugin/archive-checksum"))
                .isEqualTo("sha256:"
                        + HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(ARCHIVE))));
        Path plugin = ReleaseFiles.unpack(ARCHIVE, folder);
        assertThat(plugin).hasFileName("evenkeel");
        assertThat(plugin.resolve("main.js")).isNotEmptyFile();
        assertThat(JsonParser.parseString(Files.readString(plugin.resolve("package.json")))
                        .getAsJsonObject()
                        .get("version")
                        .getAsString())
                .isEqualTo(ReleaseFiles.VERSION);
    }
}
