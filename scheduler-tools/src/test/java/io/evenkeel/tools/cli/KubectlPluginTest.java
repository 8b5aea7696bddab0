package io.evenkeel.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** The script {@code kubectl-why}, beside a kubectl that knows three pods and a launcher that only says how it was called. */
@DisabledOnOs(OS.WINDOWS)
class KubectlPluginTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
    private static final String API = "/apis/why.evenkeel.io/v1alpha1/";

    /**
     * Pods web, job and s are told to all, pod own to readers of its namespace; of pod unserved nothing is served. Of pod half the
     * second replica answers. Deployment far is not known.
     */
    private static final String KUBECTL = """
            #!/bin/sh
            case "$*" in
            why*) shift && exec kubectl-why "$@" ;;
            config*) printf team ;;
            */web/*allNamespaces | */job/*allNamespaces | */s/placement*allNamespaces) echo "told: $*" ;;
            */own/*allNamespaces) echo 'Error from server (Forbidden): pods "own" is forbidden' >&2; exit 1 ;;
            */own/*) echo "told: $*" ;;
            */placements\\?*far*) echo 'Error from server (NotFound): no pods of Deployment shop/far are known' >&2; exit 1 ;;
            */placements\\?*silent*) ;;
            */placements\\?*) echo "told: $*" ;;
            */half/*) [ -e "$0.asked" ] && echo "told: $*" && exit
              touch "$0.asked"
              echo 'Error from server (ServiceUnavailable): the server is currently unable to handle the request' >&2; exit 1 ;;
            */unserved/*) echo 'Error from server (NotFound): the server could not find the requested resource' >&2; exit 1 ;;
            *) echo 'Error from server (NotFound): pods "gone" not found' >&2; exit 1 ;;
            esac
            """;

    @TempDir
    private Path folder;

    private Path checkout = Path.of("");
    private Path bin = Path.of("");

    @BeforeEach
    void prepare() throws IOException {
        checkout = Files.createDirectories(folder.resolve("checkout"));
        bin = Files.createDirectories(folder.resolve("bin"));
        Files.copy(REPOSITORY.resolve("kubectl-why"), checkout.resolve("kubectl-why"));
        Files.createSymbolicLink(bin.resolve("kubectl-why"), Path.of("../checkout/kubectl-why"));
    }

    private static void write(Path program, String text) throws IOException {
        Files.writeString(program, text);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private void writeLauncher() throws IOException {
        write(checkout.resolve("evenkeel"), "#!/bin/sh\necho \"$0 $*\"\n");
    }

    /** The exit code, and what was said. */
    private String typed(String arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", bin.resolve("kubectl-why").toString()));
        command.addAll(List.of(arguments.split(" ", -1)));
        return typed(command);
    }

    private String typed(List<String> command) throws Exception {
        ProcessBuilder script = new ProcessBuilder(command).redirectErrorStream(true);
        script.environment().put("PATH", bin + ":/usr/bin:/bin");
        script.environment().put("COLUMNS", "70");
        Process kubectl = script.start();
        String said = new String(kubectl.getInputStream().readAllBytes(), UTF_8);
        assertThat(kubectl.waitFor(600, TimeUnit.SECONDS)).isTrue();
        return kubectl.exitValue() + " " + said;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            web                             | namespaces/team/pods/web/placement?output=text&columns=70&allNamespaces
            pod web -n shop                 | namespaces/shop/pods/web/placement?output=text&columns=70&allNamespaces
            po/web --namespace=shop -o wide | namespaces/shop/pods/web/placement?output=wide&columns=70&allNamespaces
            shop/web -ojson                 | namespaces/shop/pods/web/placement?output=json&columns=70&allNamespaces
            shop/own                        | namespaces/shop/pods/own/placement?output=text&columns=70
            web --kubeconfig=/k             | namespaces/team/pods/web/placement?output=text&columns=70&kubectl=%2d%2d%6b%75%62%65%63%6f%6e%66%69%67%3d%2f%6b&allNamespaces
            deploy/web                      | namespaces/team/placements?output=text&columns=70&workload=deploy/web&allNamespaces
            pod s                           | namespaces/team/pods/s/placement?output=text&columns=70&allNamespaces
            pod s/web                       | namespaces/s/pods/web/placement?output=text&columns=70&allNamespaces
            deployment.apps/web             | namespaces/team/placements?output=text&columns=70&workload=deployment/web&allNamespaces
            sts shop/db -o json             | namespaces/shop/placements?output=json&columns=70&workload=sts/db&allNamespaces
            job                             | namespaces/team/pods/job/placement?output=text&columns=70&allNamespaces
            --all                           | placements?output=text&columns=70&allNamespaces
            -A -n shop                      | placements?output=text&columns=70&allNamespaces
            --all -n shop                   | namespaces/shop/placements?output=text&columns=70&allNamespaces
            pods                            | namespaces/team/placements?output=text&columns=70&allNamespaces
            -l app=web                      | namespaces/team/placements?output=text&columns=70&labelSelector=%61%70%70%3d%77%65%62&allNamespaces
            --selector=app=web --all        | placements?output=text&columns=70&labelSelector=%61%70%70%3d%77%65%62&allNamespaces
            """)
    void asksTheClusterWithNothingButKubectl(String arguments, String path) throws Exception {
        write(bin.resolve("kubectl"), KUBECTL);

        assertThat(typed(arguments)).isEqualTo("0 told: get --raw " + API + path + "\n");
    }

    /** As k9s runs it on a selected pod or workload: it replaces the variables, and knows no other fields. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            pods        | namespaces/shop/pods/web/placement?output=wide&columns=70&kubectl=%2d%2d%63%6f%6e%74%65%78%74%3d%61%20%62&allNamespaces
            deployments | namespaces/shop/placements?output=wide&columns=70&workload=deployments/web&kubectl=%2d%2d%63%6f%6e%74%65%78%74%3d%61%20%62&allNamespaces
            """)
    void asksFromK9s(String resource, String path) throws Exception {
        write(bin.resolve("kubectl"), KUBECTL);
        write(bin.resolve("less"), "#!/bin/sh\ncat\n");
        Map<String, Map<String, Map<String, Object>>> file =
                new Yaml().load(Files.readString(REPOSITORY.resolve("docs/examples/k9s/plugins.yaml")));
        Map<String, Object> plugin = file.get("plugins").get("why");
        List<String> command = new ArrayList<>(List.of((String) plugin.get("command")));
        for (Object argument : (List<?>) plugin.get("args")) {
            command.add(argument.toString()
                    .replace("$RESOURCE_NAME", resource)
                    .replace("$NAMESPACE", "shop")
                    .replace("$NAME", "web")
                    .replace("$CONTEXT", "a b"));
        }

        assertThat(plugin).containsOnlyKeys("shortCut", "description", "scopes", "command", "background", "args");
        assertThat((List<?>) plugin.get("scopes"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains(resource);
        assertThat(typed(command)).isEqualTo("0 told: --context=a b get --raw " + API + path + "\n");
    }

    @Test
    void asksAnotherReplicaWhereOneHasGone() throws Exception {
        write(bin.resolve("kubectl"), KUBECTL);

        assertThat(typed("half")).startsWith("0 told: ");
    }

    @Test
    void thereIsNoSuchPod() throws Exception {
        write(bin.resolve("kubectl"), KUBECTL);
        writeLauncher();

        assertThat(typed("gone")).isEqualTo("1 Error from server (NotFound): pods \"gone\" not found\n");
    }

    @Test
    void nothingIsPrintedWhereNothingIsTold() throws Exception {
        write(bin.resolve("kubectl"), KUBECTL);

        assertThat(typed("deploy/silent -o json")).isEqualTo("0 ");
    }

    @Test
    void whatTheServerDoesNotKnowOfSeveralTheProgramIsAsked() throws Exception {
        write(bin.resolve("kubectl"), KUBECTL);

        assertThat(typed("deploy/far"))
                .isEqualTo("1 Error from server (NotFound): no pods of Deployment shop/far are known\n");

        writeLauncher();

        assertThat(typed("deploy/far")).endsWith("/checkout/evenkeel why deploy/far\n");
    }

    @ParameterizedTest
    @CsvSource({"shop/unserved", "--all web", "-w", "web --if maxSkew=2", "web -o name", "shop/deploy/web", "what db"})
    void asksTheProgramWhereTheClusterDoesNotAnswer(String arguments) throws Exception {
        write(bin.resolve("kubectl"), KUBECTL);

        assertThat(typed(arguments)).contains("program evenkeel").hasLineCount(1);

        writeLauncher();

        assertThat(typed(arguments))
                .endsWith("/checkout/evenkeel why " + arguments + "\n")
                .startsWith("0 ");
    }
}
