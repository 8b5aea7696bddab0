package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Files that never end: one line says so, whichever option names them. */
@EnabledOnOs(OS.LINUX)
class EndlessInputTest {
    private static final String ENDLESS = "/dev/zero";

    /** Where no API server is. */
    private static final String NOWHERE = "--master=http://127.0.0.1:1";

    /** What is written, or is a directory: nothing is read whole. */
    private static final Set<String> NO_FILE_TO_READ =
            Set.of("--cert-dir", "--plugins", "--record", "--output", "--write-config-to");

    @TempDir
    private Path folder;

    static Stream<List<String>> commands() {
        return Stream.of(
                List.of("run", "--config", ENDLESS),
                List.of("run", "--kubeconfig", ENDLESS),
                List.of("run", NOWHERE, "--authentication-kubeconfig", ENDLESS),
                List.of("run", NOWHERE, "--authorization-kubeconfig", ENDLESS),
                List.of("run", NOWHERE, "--client-ca-file", ENDLESS),
                List.of("run", NOWHERE, "--requestheader-client-ca-file", ENDLESS),
                List.of("run", NOWHERE, "--tls-cert-file", ENDLESS, "--tls-private-key-file", ENDLESS),
                List.of("run", NOWHERE, "--allow-metric-labels-manifest", ENDLESS),
                List.of("replay", ENDLESS),
                List.of("why", "--scenario", ENDLESS),
                List.of("why", "--kubeconfig", ENDLESS, "pod"),
                List.of("why", "--config", ENDLESS, "pod"),
                List.of("observe", "--kubeconfig", ENDLESS),
                List.of("observe", "--config", ENDLESS),
                List.of("dump", "--kubeconfig", ENDLESS),
                List.of("dump", NOWHERE, "--anonymise-key", ENDLESS),
                List.of("capacity", "--template", ENDLESS),
                List.of("consolidate", "plan", "--catalogue", ENDLESS),
                List.of("drain", "plan", "--all", "--scenario", ENDLESS),
                List.of("drain", "plan", "--all", "--dump", ENDLESS),
                List.of("config", "check", ENDLESS),
                List.of("simulate", "--from", ENDLESS, "--drain", "n"),
                List.of("simulate", "--dump", ENDLESS, "--drain", "n"),
                List.of("simulate", "--dump", "dump", "--filename", ENDLESS),
                List.of("simulate", "--dump", "dump", "--config", ENDLESS),
                List.of("simulate", "--dump", "dump", "--config", "config", "--against", ENDLESS));
    }

    @Rotated(7)
    @ParameterizedTest
    @MethodSource("commands")
    void isRefusedInALineThatNamesIt(List<String> command) throws IOException {
        Path dump = Files.writeString(
                folder.resolve("dump"), "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"}}");
        Path config = Files.writeString(
                folder.resolve("config"),
                "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n");
        Typed typed = Typed.evenkeel(command.stream()
                .map(word -> word.equals("dump") && command.indexOf(word) > 0 ? dump.toString() : word)
                .map(word -> word.equals("config") && command.indexOf(word) > 0 ? config.toString() : word)
                .toArray(String[]::new));

        assertThat(typed.exitCode()).as(typed.err()).isIn(1, 2);
        assertThat(typed.err().lines())
                .singleElement()
                .asString()
                .contains(ENDLESS)
                .hasSizeLessThan(400);
        assertThat(typed.out()).isEmpty();
    }

    /** So that an option that comes later is tried here, too. */
    @Test
    void eachOptionThatNamesAFileIsTried() {
        Set<String> tried = commands().flatMap(List::stream).collect(Collectors.toSet());
        CommandSpec evenkeel = Evenkeel.commandLine().getCommandSpec();
        Set<String> missing = new TreeSet<>();
        for (CommandLine command : evenkeel.subcommands().values()) {
            command.getCommandSpec().options().stream()
                    .filter(option -> option.typeInfo().getClassName().equals(Path.class.getName())
                            || option.typeInfo().getAuxiliaryTypeInfos().stream()
                                    .anyMatch(type -> type.getClassName().equals(Path.class.getName())))
                    .map(option -> Set.of(option.names()))
                    .filter(names -> names.stream().noneMatch(tried::contains)
                            && names.stream().noneMatch(NO_FILE_TO_READ::contains))
                    .forEach(names -> missing.addAll(names));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void aConfigurationOf300MegabytesIsRefusedAtOnce() throws IOException {
        Path config = folder.resolve("config.yaml");
        byte[] mebibyte = "a".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = Files.newOutputStream(config)) {
            for (int i = 0; i < 300; i++) {
                out.write(mebibyte);
            }
        }

        assertThat(Typed.evenkeel("run", "--config", config.toString()))
                .isEqualTo(new Typed(
                        1,
                        "",
                        "evenkeel: " + config + " cannot be read: it is larger than 3 MiB" + System.lineSeparator()));
    }
}
