package io.evenkeel.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The program, for those who run it without an image. */
final class ProgramTest {
    private static final Path EXAMPLE =
            Path.of("../../docs/examples/zone-spread.jsonl").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void theArchiveHasAProgramOfThisVersionThatAnswers() throws Exception {
        Path program = ReleaseFiles.unpack(ReleaseFiles.file(".tar.gz"), folder);

        assertThat(program).hasFileName("evenkeel-" + ReleaseFiles.VERSION);
        assertThat(run(program, "--version").strip()).isEqualTo("evenkeel " + ReleaseFiles.VERSION);
        assertThat(run(program, "replay", EXAMPLE.toString())).contains("\"node\":\"node3\"");
        assertThat(program.resolve("LICENSE"))
                .hasSameTextualContentAs(Path.of("../../LICENSE").toAbsolutePath());
    }

    /** It uses what the JVM learned in training: with that the JVM refuses to start where it does not fit. */
    @Test
    void theArchiveForLinuxNeedsNoJava() throws Exception {
        Path program = ReleaseFiles.unpack(
                ReleaseFiles.file("-linux-" + System.getProperty("evenkeel.architecture") + ".tar.gz"), folder);
        Path link = Files.createSymbolicLink(folder.resolve("evenkeel"), program.resolve("bin/evenkeel"));
        Map<String, String> bare =
                Map.of("PATH", "/usr/bin:/bin", "JAVA_HOME", "/nowhere", "EVENKEEL_JAVA_OPTS", "-XX:AOTMode=on");

        assertThat(Processes.run(folder, bare, link.toString(), "--version").strip())
                .isEqualTo("evenkeel " + ReleaseFiles.VERSION);
        assertThat(Processes.run(folder, bare, link.toString(), "replay", EXAMPLE.toString()))
                .contains("\"node\":\"node3\"");
        assertThat(program.resolve("bin/kubectl-why")).isExecutable();
    }

    /** As krew installs it: it checks the archive, unpacks it, and links what is said to be the program. */
    @Test
    void krewFindsKubectlSPluginWithItsLicence() throws Exception {
        Map<String, Object> manifest = new Yaml().load(Files.readString(ReleaseFiles.FOLDER.resolve("krew.yaml")));
        Path archive = ReleaseFiles.file("-kubectl-why.tar.gz");
        Map<?, ?> spec = (Map<?, ?>) manifest.get("spec");
        Map<?, ?> platform = (Map<?, ?>) ((List<?>) spec.get("platforms")).getFirst();

        assertThat(spec.get("version")).isEqualTo("v" + ReleaseFiles.VERSION);
        assertThat(platform.get("uri")).asString().endsWith("/v" + ReleaseFiles.VERSION + "/" + archive.getFileName());
        assertThat(platform.get("sha256"))
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive))));
        Processes.run(folder, Map.of(), "tar", "-xzf", archive.toString());
        assertThat(folder.resolve(String.valueOf(platform.get("bin")))).isExecutable();
        assertThat(folder.resolve("LICENSE")).isRegularFile();
    }

    @Test
    void theJarAndTheBillOfMaterialsAreThoseOfTheArchive() throws Exception {
        Path program = ReleaseFiles.unpack(ReleaseFiles.file(".tar.gz"), folder);

        assertThat(ReleaseFiles.file(".jar")).hasSameBinaryContentAs(program.resolve("evenkeel.jar"));
        assertThat(ReleaseFiles.file(".cdx.json")).hasSameBinaryContentAs(program.resolve("evenkeel.cdx.json"));
    }

    @Test
    void theJarAndTheBillOfMaterialsSayTheVersion() throws IOException {
        try (JarFile jar = new JarFile(ReleaseFiles.file(".jar").toFile())) {
            assertThat(jar.getManifest().getMainAttributes())
                    .containsEntry(Attributes.Name.IMPLEMENTATION_VERSION, ReleaseFiles.VERSION);
        }
        JsonObject component = JsonParser.parseString(Files.readString(ReleaseFiles.file(".cdx.json")))
                .getAsJsonObject()
                .getAsJsonObject("metadata")
                .getAsJsonObject("component");
        assertThat(component.get("version").getAsString()).isEqualTo(ReleaseFiles.VERSION);
    }

    private static String run(Path program, String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 3];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        command[1] = "-jar";
        command[2] = "evenkeel.jar";
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        return Processes.run(program, Map.of(), command);
    }
}
