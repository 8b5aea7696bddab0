package io.evenkeel.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    @TempDir
    Path folder;

    @Test
    void onlyTheOwnerMayReadWhatIsNew() throws IOException {
        Path file = folder.resolve("config");

        assertThat(SecretFile.write(file, "token: é")).isEqualTo(file);

        assertThat(file).hasContent("token: é");
        assertThat(rights(file)).isEqualTo("rw-------");
    }

    @Test
    void whoeverCouldReadTheFormerContentCannotReadTheNext() throws IOException {
        Path file = folder.resolve("config");
        Files.writeString(file, "something longer than what follows");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        SecretFile.write(file, "token: 1");

        assertThat(file).hasContent("token: 1");
        assertThat(rights(file)).isEqualTo("rw-------");
    }

    @Test
    void aLinkIsFollowedToWhatItNames() throws IOException {
        Path file = Files.writeString(folder.resolve("kept"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Path link = Files.createSymbolicLink(folder.resolve("config"), file);

        SecretFile.write(link, "token: 1");

        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("token: 1");
        assertThat(rights(file)).isEqualTo("rw-------");
    }

    @Test
    void aFolderThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> SecretFile.write(folder.resolve("none/config"), "token: 1"))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void directoriesThatAreMadeAreTheOwnersAlone() throws IOException {
        SecretFile.makeDirectory(folder.resolve("a/b"));

        assertThat(rights(folder.resolve("a"))).isEqualTo("rwx------");
        assertThat(rights(folder.resolve("a/b"))).isEqualTo("rwx------");
    }

    @Test
    void whatIsThereIsNotCreated() throws IOException {
        SecretFile.create(folder.resolve("config")).close();

        assertThat(rights(folder.resolve("config"))).isEqualTo("rw-------");
        assertThatThrownBy(() -> SecretFile.create(folder.resolve("config")))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
