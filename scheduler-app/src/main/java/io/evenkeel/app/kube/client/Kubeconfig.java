package io.evenkeel.app.kube.client;

import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The access that a kubeconfig file describes. Its credentials are read here and not by client-java, which asks an exec
 * plugin only once and knows neither its current version nor that tokens expire.
 */
final class Kubeconfig {
    private final Path path;
    private final KubeConfig file;
    private final Map<?, ?> user;

    private Kubeconfig(Path path, KubeConfig file, String context) {
        this.path = path;
        this.file = file;
        this.user = entry(file.getUsers(), userOf(context), "user");
    }

    static ServerAccess read(
            Path path, Optional<String> context, Map<String, String> environment, InstantSource clock) {
        Path absolute = path.toAbsolutePath();
        try {
            KubeConfig file = load(absolute);
            String chosen = choose(absolute, file, context);
            return new Kubeconfig(absolute, file, chosen).access(environment, clock);
        } catch (ClassCastException | NullPointerException malformed) {
            throw new ClientConfigurationException("kubeconfig " + path + " is malformed", malformed);
        }
    }

    private static KubeConfig load(Path path) {
        if (!Files.exists(path)) {
            throw new ClientConfigurationException("kubeconfig " + path + " does not exist");
        }
        try (Reader reader = Files.newBufferedReader(path)) {
            KubeConfig file = KubeConfig.loadKubeConfig(reader);
            file.setFile(path.toFile());
            return file;
        } catch (IOException | RuntimeException unreadable) {
            throw new ClientConfigurationException(
                    "kubeconfig " + path + " cannot be read: " + ClientConfigurationException.reason(unreadable),
                    unreadable);
        }
    }

    private static String choose(Path path, KubeConfig file, Optional<String> context) {
        String chosen = context.or(() -> Optional.ofNullable(file.getCurrentContext()))
                .filter(name -> !name.isEmpty())
                .orElseThrow(() -> new ClientConfigurationException(
                        "kubeconfig " + path + " has no current-context; its contexts are " + names(file)));
        if (!file.setContext(chosen)) {
            throw new ClientConfigurationException(
                    "kubeconfig " + path + " has no context \"" + chosen + "\"; its contexts are " + names(file));
        }
        if (file.getServer() == null) {
            throw new ClientConfigurationException(
                    "kubeconfig " + path + ": the cluster of context \"" + chosen + "\" has no server");
        }
        return chosen;
    }

    private static String names(KubeConfig file) {
        List<?> contexts = file.getContexts() == null ? List.of() : file.getContexts();
        return contexts.stream()
                .map(context -> String.valueOf(((Map<?, ?>) context).get("name")))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private String userOf(String context) {
        return String.valueOf(entry(file.getContexts(), context, "context").get("user"));
    }

    /** What a list of named things has under a name; empty where it has nothing. */
    private static Map<?, ?> entry(List<?> named, String name, String content) {
        for (Object each : named == null ? List.of() : named) {
            Map<?, ?> candidate = (Map<?, ?>) each;
            if (name.equals(candidate.get("name")) && candidate.get(content) instanceof Map<?, ?> found) {
                return found;
            }
        }
        return Map.of();
    }

    private ServerAccess access(Map<String, String> environment, InstantSource clock) {
        Optional<byte[]> authority =
                data("certificate-authority", file.getCertificateAuthorityData(), file.getCertificateAuthorityFile());
        return new ServerAccess(
                file.getServer(),
                file.verifySSL(),
                authority,
                Optional.ofNullable(file.getTlsServerName()),
                credentials(environment, clock));
    }

    private CredentialSource credentials(Map<String, String> environment, InstantSource clock) {
        Credential certificate = new Credential(Optional.empty(), certificate());
        Optional<String> token = string("token");
        if (token.isPresent()) {
            return CredentialSource.fixed(Credential.bearer(token.get()).or(certificate));
        }
        Optional<String> tokenFile = string("tokenFile");
        if (tokenFile.isPresent()) {
            return TokenFile.at(relative(tokenFile.get()), clock);
        }
        if (user.get("exec") instanceof Map<?, ?> exec) {
            ExecPlugin plugin = ExecPlugin.of(exec, path, environment);
            RenewedCredential renewed = new RenewedCredential(plugin::run, clock);
            try {
                renewed.current();
            } catch (IOException failed) {
                throw new ClientConfigurationException(ClientConfigurationException.reason(failed), failed);
            }
            return renewed;
        }
        if (user.get("auth-provider") instanceof Map<?, ?> provider) {
            throw new ClientConfigurationException("kubeconfig " + path + ": auth-provider \"" + provider.get("name")
                    + "\" was removed from Kubernetes in 1.26; use an exec plugin");
        }
        return CredentialSource.fixed(string("username")
                .map(name -> Credential.basic(name, string("password").orElse("")))
                .orElse(Credential.NONE)
                .or(certificate));
    }

    private Optional<Credential.Certificate> certificate() {
        Optional<byte[]> chain =
                data("client-certificate", file.getClientCertificateData(), file.getClientCertificateFile());
        Optional<byte[]> key = data("client-key", file.getClientKeyData(), file.getClientKeyFile());
        if (chain.isPresent() != key.isPresent()) {
            throw new ClientConfigurationException(
                    "kubeconfig " + path + ": client-certificate and client-key are " + "only good together");
        }
        return chain.map(pem -> new Credential.Certificate(text(pem), text(key.orElseThrow())));
    }

    private static String text(byte[] pem) {
        return new String(pem, StandardCharsets.UTF_8);
    }

    private Optional<String> string(String field) {
        return Optional.ofNullable(user.get(field)).map(String::valueOf).filter(value -> !value.isEmpty());
    }

    private Path relative(String other) {
        Path folder = path.getParent();
        return folder == null ? Path.of(other) : folder.resolve(other);
    }

    private Optional<byte[]> data(String field, @Nullable String data, @Nullable String place) {
        try {
            return Optional.ofNullable(file.getDataOrFileRelative(data, place));
        } catch (IOException | RuntimeException unreadable) {
            throw new ClientConfigurationException(
                    "kubeconfig " + path + ": cannot read " + field + ": "
                            + ClientConfigurationException.reason(unreadable),
                    unreadable);
        }
    }
}
