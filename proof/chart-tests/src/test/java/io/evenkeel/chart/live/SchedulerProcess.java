package io.evenkeel.chart.live;

import static io.evenkeel.chart.live.Eventually.eventually;

import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.testing.Java;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * What the chart's container does: a process of its own with the rendered arguments, variables and configuration, which
 * finds the API server by its ServiceAccount, where {@link PodFiles} can be seen, else by a kubeconfig. It differs in where the
 * configuration is and on which port it serves.
 */
final class SchedulerProcess implements AutoCloseable {
    private static final long SECONDS_TO_STOP = 600;

    private final Process process;
    private final Path log;
    private final int port;
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(AnyCertificate.sslContext()).build();

    private SchedulerProcess(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /** Starts it under a name that the cluster knows the token of. */
    static SchedulerProcess start(Path folder, Manifests rendered, HollowCluster cluster, String user, String token)
            throws IOException {
        Path configuration = Files.writeString(folder.resolve("config.yaml"), rendered.configuration());
        int port = freePort();
        Map<String, String> environment = new HashMap<>(rendered.environment());
        environment.put("HOSTNAME", "evenkeel-0");
        List<String> command = new ArrayList<>();
        PodFiles files = PodFiles.of(folder, token, cluster.caPem().orElseThrow());
        if (files.canBeSeen()) {
            URI server = URI.create(cluster.url());
            environment.put("KUBERNETES_SERVICE_HOST", server.getHost());
            environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(server.getPort()));
            command.addAll(files.command());
        } else {
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig(user, token));
            environment.put("KUBECONFIG", kubeconfig.toString());
        }
        command.addAll(Java.command("-cp", System.getProperty("java.class.path"), "io.evenkeel.app.cli.Evenkeel"));
        rendered.arguments().stream()
                .map(argument -> argument.replace("/etc/evenkeel/config.yaml", configuration.toString())
                        .replace("--secure-port=10259", "--secure-port=" + port))
                .forEach(command::add);
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(log.toFile());
        // what is in the way of a pod's own, as it is looked at first
        builder.environment().remove("KUBECONFIG");
        builder.environment().putAll(environment);
        return new SchedulerProcess(builder.start(), log, port);
    }

    void awaitReady() {
        eventually("the scheduler is ready")
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> get("/readyz", "").statusCode() == 200);
    }

    /** What it answers to whom the token belongs to, or to anybody. */
    HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Ends it as a kubelet does; the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor(SECONDS_TO_STOP, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        client.close();
    }

    /** A port below those that the system gives away itself, so that it is still free when the process takes it. */
    private static int freePort() {
        int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
        try (ServerSocket _ = new ServerSocket(port)) {
            return port;
        } catch (IOException taken) {
            return freePort();
        }
    }
}
