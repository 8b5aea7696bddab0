package io.evenkeel.image.run;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The image that -Pimage or -Prelease made before the tests. */
final class BuiltImage {
    static final Path TREE = Path.of("target/tree").toAbsolutePath();
    private static final String TAR = System.getProperty("evenkeel.image.tar", "");
    /** None without these profiles: what an earlier build left behind is not tested. */
    private static final String MADE_IN = System.getProperty("evenkeel.image.phase", "none");

    private BuiltImage() {}

    /** Skips the test where there is none. */
    static UnpackedImage unpackedTo(Path folder) throws IOException, InterruptedException {
        assumeThat(MADE_IN).as("the phase in which -Pimage builds an image").isNotEqualTo("none");
        return UnpackedImage.of(Path.of(TAR), folder);
    }

    /** Skips the test where there is none, or nobody may run it here. */
    static UnpackedImage runnableIn(Path folder) throws IOException, InterruptedException {
        UnpackedImage image = unpackedTo(folder);
        assumeThat(Files.isExecutable(Path.of("/usr/bin/unshare"))
                        && new ProcessBuilder("unshare", "--mount", "true")
                                        .start()
                                        .waitFor()
                                == 0)
                .as("the right to mount, which root has on Linux")
                .isTrue();
        BorrowedLibc.into(image.root());
        return image;
    }
}
