package io.evenkeel.image.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowObjects.BoundPods;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image does what the chart wants of it: an unprivileged user, a read-only root, the command as its entry point. */
class ContainerTest {
    /** Fails where the cache was made by another JVM, of other jars or with other times, in place of doing without. */
    private static final String WITH_CACHE = "-XX:AOTMode=on";

    private static final String WITHOUT_CACHE = "-XX:AOTMode=off";
    private static final int STARTS = 5;
    /** A few more than they are, as threads do not always meet the same way. */
    private static final int MOST_FROM_OUTSIDE = 70;

    @TempDir
    private static Path folder;

    private static UnpackedImage image = new UnpackedImage(Path.of(""), List.of(), "", "");

    @TempDir
    private Path files;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        image = BuiltImage.runnableIn(folder);
    }

    @Test
    void theEntryPointIsTheCommand() throws IOException, InterruptedException {
        try (Container container = Container.start(image, files, WITH_CACHE, "--version")) {
            assertThat(container.awaitEnd()).as(container.err()).isZero();
            assertThat(container.out()).startsWith("evenkeel ");
        }
    }

    @Test
    void anotherCollectorDoesWithoutTheCache() throws IOException, InterruptedException {
        try (Container container =
                Container.start(image, files, "-XX:+UseParallelGC -XX:-UseCompactObjectHeaders", "--version")) {
            assertThat(container.awaitEnd()).as(container.err()).isZero();
            assertThat(container.out())
                    .as("no warnings among it")
                    .startsWith("evenkeel ")
                    .hasLineCount(1);
        }
    }

    @Test
    void theDemoComesOutAsTold() throws IOException, InterruptedException {
        try (Container container = Container.start(image, files, WITH_CACHE, "demo", "--once")) {
            assertThat(container.awaitEnd())
                    .as(container.out() + container.err())
                    .isZero();
        }
    }

    @Test
    void itSchedulesSoonerWithTheCache() throws IOException, InterruptedException {
        try (HollowCluster cluster = HollowCluster.start()) {
            cluster.writeKubeconfig(files.resolve("kubeconfig"));
            Files.copy(Path.of("src/main/training/config.yaml"), files.resolve("config.yaml"));
            List<Long> with = new ArrayList<>();
            List<Long> without = new ArrayList<>();
            for (int start = 0; start < STARTS; start++) {
                with.add(start(WITH_CACHE).toMillis());
                without.add(start(WITHOUT_CACHE).toMillis());
            }
            // figures for docs/image.md; which is smaller is not asserted, as other work on this machine decides that
            // too
            System.out.println("ms until it leads, with the AOT cache " + with + ", without " + without);
        }
    }

    /**
     * A class from outside the cache is read, verified or written by the JVM at each start. What is left are proxies of picocli's
     * annotations, events of JFR, and lambdas and switches of the JDK and Micrometer that no cache takes in, with the forms of
     * their calls. None is ours: a lambda of an interface that has both default methods and a constant would be.
     */
    @Test
    void untilTheFirstBindingClassesComeFromTheCache() throws IOException, InterruptedException {
        List<String> outside;
        try (HollowCluster cluster = HollowCluster.start()) {
            cluster.writeKubeconfig(files.resolve("kubeconfig"));
            Files.copy(Path.of("src/main/training/config.yaml"), files.resolve("config.yaml"));
            cluster.objects().create("""
                    {apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: 1, memory: 1Gi, pods: 9}}}""");
            cluster.objects().create("""
                    {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: default},
                     spec: {schedulerName: evenkeel, containers: [{name: a, image: a}]}}""");
            BoundPods bound = cluster.objects().countBound();
            try (Container container = Container.start(
                    image,
                    files,
                    WITH_CACHE + " -Xlog:class+load",
                    "run",
                    "--config=/tmp/config.yaml",
                    "--kubeconfig=/tmp/kubeconfig",
                    "--secure-port=0",
                    "--logging-format=json")) {
                assertThat(bound.await(1, Duration.ofMinutes(1))).isOne();
                outside = container
                        .out()
                        .lines()
                        .filter(line -> line.contains(" source: ") && !line.endsWith(" source: shared objects file"))
                        .map(line -> line.replaceFirst("^\\S+ *", ""))
                        .toList();
            }
        }
        assertThat(outside)
                .noneMatch(line -> line.contains(" source: file:"))
                .noneMatch(line -> line.startsWith("io.evenkeel."))
                .hasSizeBetween(1, MOST_FROM_OUTSIDE);
    }

    private Duration start(String cache) throws IOException, InterruptedException {
        try (Container container = Container.start(
                image,
                files,
                cache + " -XX:MaxRAMPercentage=70",
                "run",
                "--config=/tmp/config.yaml",
                "--kubeconfig=/tmp/kubeconfig",
                "--secure-port=0",
                "--logging-format=json")) {
            Duration taken = container.await("\"msg\":\"Successfully acquired lease\"");
            assertThat(container.stop()).as(container.err()).isIn(0, 143);
            return taken;
        }
    }
}
