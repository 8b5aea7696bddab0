package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.sun.net.httpserver.HttpServer;
import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.hollow.HollowCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The script, asked by bash as bash asks it at a tab. */
class CompletionScriptTest {
    private static final String ASK = """
        source "$0"
        COMP_WORDS=(evenkeel)
        for word; do [ "$word" = % ] && COMP_WORDS+=("") || COMP_WORDS+=("$word"); done
        COMP_CWORD=$#
        evenkeel() { echo "asked-$(echo "$@" | tr ' ' '+')"; }
        _evenkeel
        echo "${COMPREPLY[*]-}"
        """;

    @TempDir
    private Path files;

    /** {@code %} stands for the word that is begun and empty; bash makes three words of one with an equals sign. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "%                              | run replay why observe simulate drain capacity consolidate rebalance dump"
                        + " config serve bench demo hollow completion help version --help --version",
                "rep                            | replay",
                "run --kubec                    | --kubeconfig",
                "run --leader-elect-l           | --leader-elect-lease-duration",
                "bench --workload zo            | zone-hard",
                "bench --workload = both        | both-hard both-soft",
                "bench --workload=zo            | --workload=zone-hard",
                "bench --workload basic --out   | --output",
                "run --tls-min-version =        | VersionTLS12 VersionTLS13",
                "run --logging-format %         | text json",
                "help r                         | run replay rebalance",
                "completion %                   | bash zsh fish",
                "replay --as                    | --assert",
                "simulate -o %                  | dump json scenario text",
                "rebalance plan --goal %        | constraints spread policies empty-nodes place devices",
                "dump --an                      | --anonymise --anonymise-key",
                "demo %                         | --once --no-open --help --version",
                "bench-cl                       | ''",
                "why pod %                      | asked-names+pods",
                "why --kubeconfig a -n = shop % | asked-names+pods+--kubeconfig+a+-n+shop",
                "why -n asked-names+n           | asked-names+namespaces",
                "simulate --drain %             | asked-names+nodes",
                "drain pl                       | plan",
                "drain plan --max               | --max-unavailable",
                "drain plan --nodes %           | asked-names+nodes",
                "run --leader-elect-resource-namespace % | asked-names+namespaces",
            })
    void namesAndValuesAreCompleted(String typed, String reply) throws Exception {
        assertThat(complete(typed.strip())).isEqualTo(reply);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --config %",
                "run --config = cfg",
                "run --kubeconfig ~/.k",
                "replay docs/",
                "hollow --load %",
                "run --client-ca-file %"
            })
    void whereAFileBelongsTheReplyIsLeftToTheShell(String typed) throws Exception {
        assertThat(complete(typed)).isEmpty();
        assertThat(script()).endsWith("\ncomplete -o default -F _evenkeel evenkeel\n");
    }

    @Test
    void whatIsOfferedIsTaken() {
        for (CommandLine command : Evenkeel.commandLine().getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (option.completionCandidates() != null && option.converters().length > 0) {
                    option.completionCandidates()
                            .forEach(offered -> assertThatCode(() -> option.converters()[0].convert(
                                            offered.endsWith("=") ? offered + "POD:.pod" : offered))
                                    .as(option.longestName())
                                    .doesNotThrowAnyException());
                }
            }
        }
    }

    @Test
    void zshRunsTheSameScriptAndOtherShellsAreRefused() {
        assertThat(Typed.evenkeel("completion", "zsh")).isEqualTo(new Typed(0, script(), ""));
        assertThat(Typed.evenkeel("completion", "tcsh"))
                .isEqualTo(new Typed(
                        2,
                        "",
                        "evenkeel: there is no completion for tcsh; there is for bash, zsh, fish;"
                                + " see 'evenkeel completion --help'\n"));
    }

    @Test
    void fishHasOptionsValuesFilesAndNames() {
        assertThat(Typed.evenkeel("completion", "fish").out().lines())
                .contains(
                        "complete -c evenkeel -n __fish_use_subcommand -a version"
                                + " -d 'Prints the version, and the commit that it was built from.'",
                        "complete -c evenkeel -n '__fish_seen_subcommand_from run' -l logging-format -r -a 'text json'",
                        "complete -c evenkeel -n '__fish_seen_subcommand_from run' -l config -r -F",
                        "complete -c evenkeel -n '__fish_seen_subcommand_from run' -l dry-run",
                        "complete -c evenkeel -n '__fish_seen_subcommand_from why' -s n -l namespace -r"
                                + " -a '(__evenkeel_names namespaces)'",
                        "complete -c evenkeel -n '__fish_seen_subcommand_from why' -a '(__evenkeel_names pods)'")
                .noneMatch(line -> line.contains("bench-cluster"));
    }

    @Test
    void namesAreAskedOfTheCluster() throws Exception {
        try (HollowCluster cluster = HollowCluster.start()) {
            for (String node : List.of("node-1", "node-2")) {
                cluster.objects().create("""
                        {"kind":"Node","apiVersion":"v1","metadata":{"name":"%s"}}
                        """.formatted(node));
            }
            Path kubeconfig = cluster.writeKubeconfig(files.resolve("kubeconfig"));

            assertThat(Typed.evenkeel("names", "nodes", "--kubeconfig=" + kubeconfig))
                    .isEqualTo(new Typed(0, "node-1\nnode-2\n", ""));
        }
        assertThat(Typed.evenkeel("names", "nodes", "--master=http://127.0.0.1:1")
                        .out())
                .isEmpty();
    }

    @Test
    void aNameThatAShellWouldRunIsNotOffered() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] list = """
                    {"items":[{"metadata":{"name":"$(touch x)"}},{"metadata":{"name":"a b"}},{"metadata":{"name":"node-1"}}]}
                    """.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, list.length);
            exchange.getResponseBody().write(list);
            exchange.close();
        });
        server.start();
        try {
            String master = "--master=http://127.0.0.1:" + server.getAddress().getPort();
            assertThat(Typed.evenkeel("names", "nodes", master)).isEqualTo(new Typed(0, "node-1\n", ""));
        } finally {
            server.stop(0);
        }
    }

    private static String script() {
        return Typed.evenkeel("completion", "bash").out();
    }

    private String complete(String typed) throws IOException, InterruptedException {
        Path script = Files.writeString(files.resolve("completion.bash"), script());
        List<String> command = new ArrayList<>(List.of("bash", "-uc", ASK, script.toString()));
        command.addAll(List.of(typed.split(" ")));
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        bash.getOutputStream().close();
        String reply = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(reply).isZero();
        return reply.strip();
    }
}
