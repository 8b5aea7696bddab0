package io.evenkeel.image.run;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the image. */
class TreeTest {
    @TempDir
    private Path folder;

    @Test
    void allOfTheTreeAndNothingElse() throws IOException, InterruptedException {
        UnpackedImage image = BuiltImage.unpackedTo(folder);
        Map<String, String> tree = new TreeMap<>();
        for (String layer : List.of("runtime", "libraries", "program")) {
            tree.putAll(files(BuiltImage.TREE.resolve(layer)));
        }
        assertThat(files(image.root())).isEqualTo(tree).hasSizeGreaterThan(100);
    }

    @Test
    void theBillOfMaterialsNamesEachLibraryWithItsLicence() throws IOException, InterruptedException {
        Path app = BuiltImage.unpackedTo(folder).root().resolve("opt/evenkeel/app");
        JsonObject bill = JsonParser.parseString(Files.readString(app.resolve("evenkeel.cdx.json")))
                .getAsJsonObject();
        Set<String> named = bill.getAsJsonArray("components").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .peek(component -> assertThat(component.getAsJsonArray("licenses"))
                        .as("%s", component.get("purl"))
                        .isNotEmpty())
                .map(component -> component.get("name").getAsString() + "-"
                        + component.get("version").getAsString() + ".jar")
                .collect(Collectors.toSet());
        try (Stream<Path> libraries = Files.list(app.resolve("lib"))) {
            assertThat(libraries.map(library -> library.getFileName().toString()))
                    .isSubsetOf(named);
        }
    }

    @Test
    void theRuntimeHasTheModulesThatOurCodeUses() throws IOException, InterruptedException {
        Path home = BuiltImage.unpackedTo(folder).root().resolve("opt/evenkeel");
        String modules = Files.readString(home.resolve("jre/release"));
        Path lib = home.resolve("app/lib");
        try (Stream<Path> libraries = Files.list(lib)) {
            for (Path jar : Stream.concat(Stream.of(home.resolve("app/evenkeel.jar")), libraries)
                    .filter(jar -> jar.getFileName()
                            .toString()
                            .matches("(evenkeel|certificates|hollow-cluster|kubernetes-|scheduler-).*"))
                    .toList()) {
                String used = Processes.run(
                        Path.of(System.getProperty("java.home"), "bin", "jdeps").toString(),
                        "--ignore-missing-deps",
                        "--print-module-deps",
                        jar.toString());
                assertThat(modules.split("[\"\\s]+"))
                        .as("of %s", jar)
                        .contains(used.strip().split(","));
            }
        }
    }

    /** Each file with its mode, time and length; each folder with its mode. */
    private static Map<String, String> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            Map<String, String> found = new TreeMap<>();
            for (Path file : all.filter(file -> !file.equals(root)).toList()) {
                PosixFileAttributes read = Files.readAttributes(file, PosixFileAttributes.class, NOFOLLOW_LINKS);
                String mode = PosixFilePermissions.toString(read.permissions());
                found.put(
                        root.relativize(file).toString(),
                        read.isDirectory() ? mode : mode + " " + read.lastModifiedTime() + " " + read.size());
            }
            return found;
        }
    }
}
