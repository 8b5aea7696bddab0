package io.evenkeel.chart.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a kubelet mounts for every pod: the ServiceAccount's token and the cluster's authority, where programs in a cluster look
 * for them. Only the process that is started with them sees them there, as it gets mounts of its own; the machine's own folder
 * stays as it is. That takes Linux and a user who may make a user namespace.
 */
final class PodFiles {
    private static final String IN_MOUNTS_OF_ITS_OWN = """
            set -e
            mount -t tmpfs none "$(readlink -f /var/run)"
            mkdir -p /var/run/secrets/kubernetes.io/serviceaccount
            mount --bind "$1" /var/run/secrets/kubernetes.io/serviceaccount
            shift
            exec "$@"
            """;

    private static final long SECONDS_TO_TRY = 600;

    private final Path folder;

    private PodFiles(Path folder) {
        this.folder = folder;
    }

    static PodFiles of(Path folder, String token, String authority) throws IOException {
        Path account = Files.createDirectories(folder.resolve("serviceaccount"));
        Files.writeString(account.resolve("token"), token);
        Files.writeString(account.resolve("ca.crt"), authority);
        return new PodFiles(account);
    }

    /** Starts a program that finds them, in the process itself. */
    List<String> command() {
        return List.of(
                "unshare",
                "--user",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                IN_MOUNTS_OF_ITS_OWN,
                "sh",
                folder.toString());
    }

    /** Whether this machine lets us. */
    boolean canBeSeen() {
        List<String> look = List.of("test", "-f", "/var/run/secrets/kubernetes.io/serviceaccount/token");
        try {
            Process trial = new ProcessBuilder(
                            Stream.concat(command().stream(), look.stream()).toList())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return trial.waitFor(SECONDS_TO_TRY, TimeUnit.SECONDS) && trial.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
