package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.Java;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The program of the build that makes old classes fit for an AOT cache, on the library that it is there for. */
@Rotated(3)
class RenewClassesTest {
    private static final Path PROGRAM =
            Path.of("").toAbsolutePath().getParent().resolve("ship/image/RenewClasses.java");
    /** The first that the JVM verifies in one pass. */
    private static final int JAVA_6 = 50;

    @TempDir
    Path folder;

    private Path jar;

    @BeforeEach
    void copyTheLibrary() throws Exception {
        Path library = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        jar = Files.copy(library, folder.resolve("library.jar"));
    }

    @Test
    void everyClassIsOfThisTimeAndPassesTheVerifier() throws Exception {
        List<String> before = entries();
        assertThat(versions()).anyMatch(version -> version < JAVA_6);

        assertThat(run()).isEqualTo("228 classes of library.jar renewed\n");

        assertThat(entries()).isEqualTo(before);
        assertThat(versions()).hasSize(228).allMatch(version -> version >= JAVA_6);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (String name : classes()) {
                Class.forName(name.replace('/', '.').replaceFirst("\\.class$", ""), true, loader);
            }
        }
    }

    @Test
    void whatIsRenewedStaysAsItIs() throws Exception {
        run();
        byte[] renewed = Files.readAllBytes(jar);

        assertThat(run()).isEmpty();
        assertThat(jar).hasBinaryContent(renewed);
    }

    private String run() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Java.command(PROGRAM.toString(), folder.toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private List<String> entries() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return file.stream()
                    .map(entry -> entry.getName() + " " + entry.getTime())
                    .toList();
        }
    }

    private List<String> classes() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return file.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith("picocli/") && name.endsWith(".class"))
                    .toList();
        }
    }

    private List<Integer> versions() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return classes().stream().map(name -> version(file, name)).toList();
        }
    }

    private static int version(ZipFile file, String name) {
        try (DataInputStream content = new DataInputStream(file.getInputStream(file.getEntry(name)))) {
            content.skipNBytes(6);
            return content.readUnsignedShort();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
