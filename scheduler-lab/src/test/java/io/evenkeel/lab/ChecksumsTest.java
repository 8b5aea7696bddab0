package io.evenkeel.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is shipped is libraries whose checksums are written down: Maven holds against that list what is on it, and of what is
 * not it says nothing.
 */
class ChecksumsTest {
    private static final Path CHECKED_IN = Path.of("..", ".mvn", "checksums", "checksums.sha256");

    /** In a local repository a version's folder is named as it is, and the file begins with artifact and version. */
    private static final Pattern LIBRARY = Pattern.compile(".*/([^/]+)/([^/]+)/\\1-\\2[^/]*\\.jar");

    @Test
    void everyLibraryOnTheClassPathIsListedAndAsListed() throws IOException {
        Map<String, String> listed = Files.readAllLines(CHECKED_IN).stream()
                .map(line -> line.split(" +"))
                .collect(Collectors.toMap(words -> words[1], words -> words[0]));
        List<Path> libraries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> LIBRARY.matcher(entry).matches() && !entry.contains("/io/evenkeel/"))
                .map(Path::of)
                .toList();

        assertThat(libraries)
                .hasSizeGreaterThan(20)
                .allSatisfy(library -> assertThat(ending(library, listed))
                        .as("%s; .ci/checksums writes the list anew", library)
                        .isEqualTo(sha256(library)));
    }

    /** The list's paths begin where the repository does, which is not told. */
    private static String ending(Path library, Map<String, String> listed) {
        return Stream.iterate(2, names -> names <= library.getNameCount(), names -> names + 1)
                .map(names -> library.subpath(library.getNameCount() - names, library.getNameCount())
                        .toString())
                .filter(listed::containsKey)
                .map(listed::get)
                .findFirst()
                .orElse("not listed");
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
