package io.evenkeel.kube.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.kube.client.Kubeconfig.KubeconfigSection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program that hands out credentials, as clouds have them: {@code user.exec} of a kubeconfig. */
record ExecPlugin(
        List<String> command,
        Map<String, String> environment,
        String apiVersion,
        String installHint,
        Duration patience) {
    /** For a whole run, until the last of its output. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int MOST_OUTPUT = 1 << 20;

    static ExecPlugin of(KubeconfigSection exec, Map<String, String> processEnvironment) {
        String program = exec.string("command").orElseThrow(() -> exec.problem("command", "is missing"));
        List<String> command = new ArrayList<>();
        // Like kubectl: what has a slash is relative to the kubeconfig, what has none is on the PATH.
        command.add(program.contains("/") ? exec.resolve(program).toString() : program);
        command.addAll(exec.strings("args"));
        Map<String, String> environment = new HashMap<>(processEnvironment);
        for (KubeconfigSection variable : exec.sections("env")) {
            String name = variable.string("name").orElseThrow(() -> variable.problem("name", "is missing"));
            environment.put(name, variable.string("value").orElse(""));
        }
        return new ExecPlugin(
                command,
                environment,
                exec.string("apiVersion").orElse(""),
                exec.string("installHint").orElse(""),
                PATIENCE);
    }

    /** Returns the program with another limit for a run of it. */
    ExecPlugin within(Duration limit) {
        return new ExecPlugin(command, environment, apiVersion, installHint, limit);
    }

    RenewedCredential.Expiring run() throws IOException {
        Process process = start();
        try {
            process.getOutputStream().close();
            return read(new String(output(process), StandardCharsets.UTF_8));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failed("was interrupted");
        } finally {
            end(process);
        }
    }

    /** Returns the whole output, within the time it has: a child that it has left behind may hold its output open. */
    private byte[] output(Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        CompletableFuture<byte[]> output = CompletableFuture.supplyAsync(
                () -> readAll(process.getInputStream()),
                task -> Thread.ofVirtual().name("exec-plugin").start(task));
        try {
            byte[] written = output.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (written.length > MOST_OUTPUT) {
                throw failed("wrote more than " + MOST_OUTPUT + " bytes");
            }
            if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw tooSlow();
            }
            if (process.exitValue() != 0) {
                throw failed("failed with exit code " + process.exitValue());
            }
            return written;
        } catch (TimeoutException hanging) {
            throw tooSlow();
        } catch (ExecutionException unreadable) {
            throw new IOException(failed("could not be read from").getMessage(), unreadable);
        }
    }

    private static byte[] readAll(InputStream output) {
        try {
            return output.readNBytes(MOST_OUTPUT + 1);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void end(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }

    private IOException tooSlow() {
        return failed("did not end within " + GoDuration.format(patience));
    }

    private Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put("KUBERNETES_EXEC_INFO", execInfo());
        try {
            return builder.start();
        } catch (IOException missing) {
            throw new IOException(
                    "exec plugin " + command.getFirst() + " cannot be started: is it installed?"
                            + (installHint.isEmpty()
                                    ? ""
                                    : " " + installHint.strip().replace('\n', ' ')),
                    missing);
        }
    }

    private String execInfo() {
        JsonObject spec = new JsonObject();
        spec.addProperty("interactive", false);
        JsonObject info = new JsonObject();
        info.addProperty("apiVersion", apiVersion);
        info.addProperty("kind", "ExecCredential");
        info.add("spec", spec);
        return info.toString();
    }

    private RenewedCredential.Expiring read(String output) throws IOException {
        try {
            JsonObject answer = JsonParser.parseString(output).getAsJsonObject();
            JsonObject status = Optional.ofNullable(answer.getAsJsonObject("status"))
                    .orElseThrow(() -> failed("gave an ExecCredential without a status"));
            Optional<String> token = member(status, "token");
            Optional<String> chain = member(status, "clientCertificateData");
            Optional<String> key = member(status, "clientKeyData");
            if (token.filter(secret -> !Credential.fitsHeader(secret)).isPresent()) {
                throw failed("gave a token with a character that no token has");
            }
            if (token.isEmpty() && (chain.isEmpty() || key.isEmpty())) {
                throw failed("gave neither a token nor a client certificate with its key");
            }
            Optional<Credential.Certificate> certificate =
                    chain.flatMap(pem -> key.map(secret -> new Credential.Certificate(pem, secret)));
            if (certificate.isPresent()) {
                check(certificate.get());
            }
            return RenewedCredential.Expiring.at(
                    member(status, "expirationTimestamp").map(Instant::parse),
                    new Credential(token.map(secret -> "Bearer " + secret.strip()), certificate));
        } catch (JsonParseException
                | IllegalStateException
                | ClassCastException
                | UnsupportedOperationException
                | DateTimeParseException malformed) {
            throw new IOException(failed("did not give an ExecCredential").getMessage(), malformed);
        }
    }

    /** Otherwise it would be kept, and every connection fail by it. */
    private void check(Credential.Certificate certificate) throws IOException {
        try {
            certificate.parse();
        } catch (GeneralSecurityException unusable) {
            throw failed("gave a certificate and key that cannot be used: " + unusable.getMessage());
        }
    }

    private static Optional<String> member(JsonObject from, String field) {
        return Optional.ofNullable(from.get(field))
                .filter(value -> !value.isJsonNull())
                .map(value -> value.getAsString())
                .filter(value -> !value.isEmpty());
    }

    private IOException failed(String how) {
        return new IOException("exec plugin " + command.getFirst() + " " + how);
    }

    /** Without the environment, which may hold secrets. */
    @Override
    public String toString() {
        return "ExecPlugin" + command;
    }
}
