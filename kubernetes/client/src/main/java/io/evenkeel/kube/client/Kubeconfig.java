package io.evenkeel.kube.client;

import io.evenkeel.config.file.ErrorLog;
import io.evenkeel.config.file.YamlText;
import io.evenkeel.file.FileContent;
import io.evenkeel.kube.client.Credential.Certificate;
import io.evenkeel.kube.client.Credential.CredentialSource;
import io.evenkeel.kube.client.RenewedCredential.TokenFile;
import io.evenkeel.kube.client.ServerAccess.Authority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import okhttp3.HttpUrl;

/**
 * The access that kubeconfig files describe, merged as kubectl does: what the first file says of a name holds, whatever
 * later ones say of the same. They are read here and not by client-java, which knows a part of what there is in them
 * and asks an exec plugin only once.
 */
record Kubeconfig(List<KubeconfigSection> files) {
    private static final List<String> LISTS = List.of("clusters", "contexts", "users");

    static ServerAccess read(
            Path path, Optional<String> context, Map<String, String> environment, InstantSource clock) {
        return new Kubeconfig(List.of(root(path))).access(context, environment, clock);
    }

    /** Merges the files of a list that exist; at least one has to. */
    static ServerAccess merge(
            List<Path> paths, Optional<String> context, Map<String, String> environment, InstantSource clock) {
        List<Path> existing = paths.stream().filter(Files::exists).toList();
        List<Path> read = existing.isEmpty() ? paths.subList(0, 1) : existing;
        return new Kubeconfig(read.stream().map(Kubeconfig::root).toList()).access(context, environment, clock);
    }

    private ServerAccess access(Optional<String> wanted, Map<String, String> environment, InstantSource clock) {
        if (files.stream().allMatch(file -> file.fields().isEmpty())) {
            throw problem("is empty");
        }
        String name = wanted.filter(given -> !given.isEmpty())
                .or(() -> first("current-context"))
                .orElseThrow(() -> problem("has no current-context; " + contexts()));
        KubeconfigSection context = find("contexts", name, "context")
                .orElseThrow(() -> problem("has no context \"" + name + "\"; " + contexts()));
        KubeconfigSection cluster = context.string("cluster")
                .flatMap(called -> find("clusters", called, "cluster"))
                .orElseThrow(() -> context.problem("cluster", "names no cluster that there is"));
        KubeconfigUser user = new KubeconfigUser(
                context.string("user")
                        .map(called -> find("users", called, "user")
                                .orElseThrow(() -> context.problem("user", "names no user that there is")))
                        .orElse(new KubeconfigSection(context.file(), "user", Map.of())),
                environment);
        return access(cluster, user, context.string("namespace"), clock);
    }

    private static ServerAccess access(
            KubeconfigSection cluster, KubeconfigUser user, Optional<String> namespace, InstantSource clock) {
        String server = cluster.string("server").orElseThrow(() -> cluster.problem("server", "is missing"));
        boolean verified = !cluster.truth("insecure-skip-tls-verify");
        Optional<byte[]> authority = cluster.data("certificate-authority");
        String address = address(server, !verified || authority.isPresent() || user.hasCertificate());
        if (HttpUrl.parse(address) == null) {
            throw cluster.problem(
                    "server", "is not the address of a server: expected something like https://10.0.0.1:6443");
        }
        return new ServerAccess(
                address,
                verified,
                authority
                        .map(pem -> parsed(cluster, address, pem))
                        .map(first -> new CredentialFiles<>(
                                first, () -> authority(cluster, address).orElse(first), clock)),
                cluster.string("tls-server-name"),
                cluster.string("proxy-url").map(url -> proxy(cluster, url)),
                user.impersonation(),
                user.credentials(clock),
                namespace);
    }

    /** As kubectl takes an address without a scheme: what has to do with TLS speaks it. */
    private static String address(String server, boolean tls) {
        return server.contains("://") ? server : (tls ? "https://" : "http://") + server;
    }

    private static Optional<Authority> authority(KubeconfigSection cluster, String address) {
        return cluster.data("certificate-authority").map(pem -> parsed(cluster, address, pem));
    }

    private static Authority parsed(KubeconfigSection cluster, String address, byte[] authority) {
        try {
            return Authority.of(authority);
        } catch (GeneralSecurityException noCertificate) {
            throw new ClientConfigurationException(
                    "kubeconfig " + cluster.file() + ": a certificate or key for " + address
                            + " cannot be used: certificate-authority: " + noCertificate.getMessage(),
                    noCertificate);
        }
    }

    private static ProxyServer proxy(KubeconfigSection cluster, String url) {
        try {
            return ProxyServer.at(url);
        } catch (IllegalArgumentException unusable) {
            throw cluster.problem("proxy-url", String.valueOf(unusable.getMessage()));
        }
    }

    private ClientConfigurationException problem(String what) {
        String named = files.stream().map(file -> String.valueOf(file.file())).collect(Collectors.joining(", "));
        return new ClientConfigurationException("kubeconfig " + named + " " + what);
    }

    private Optional<String> first(String field) {
        return files.stream().flatMap(file -> file.string(field).stream()).findFirst();
    }

    /** Finds a name in a list of named things, in the first file that has it. */
    private Optional<KubeconfigSection> find(String list, String name, String content) {
        return files.stream()
                .flatMap(file -> file.sections(list).stream())
                .filter(each -> each.string("name").filter(name::equals).isPresent())
                .findFirst()
                .map(each -> each.section(content)
                        .orElse(new KubeconfigSection(each.file(), each.path() + "." + content, Map.of())));
    }

    private String contexts() {
        String names = files.stream()
                .flatMap(file -> file.sections("contexts").stream())
                .flatMap(context -> context.string("name").stream())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "it has no contexts" : "its contexts are " + names;
    }

    /** The root of a file; without a field where that is empty. */
    private static KubeconfigSection root(Path path) {
        Path absolute = path.toAbsolutePath();
        String text = text(absolute);
        KubeconfigSection root =
                new KubeconfigSection(absolute, "", saysNothing(text) ? Map.of() : tree(absolute, text));
        // A broken list is told of also where the name was found before it.
        LISTS.forEach(root::sections);
        return root;
    }

    private static boolean saysNothing(String text) {
        return text.lines().map(String::strip).allMatch(line -> line.isEmpty() || line.startsWith("#"));
    }

    private static Map<String, Object> tree(Path absolute, String text) {
        ErrorLog errors = new ErrorLog(String.valueOf(absolute));
        return YamlText.parse(text, errors)
                .flatMap(root -> root.tree())
                .filter(read -> errors.isEmpty())
                .orElseThrow(() -> new ClientConfigurationException("kubeconfig cannot be read: "
                        + errors.lines().stream().findFirst().orElse(absolute + " is no mapping")));
    }

    private static String text(Path path) {
        if (!Files.exists(path)) {
            throw new ClientConfigurationException("kubeconfig " + path + " does not exist");
        }
        try {
            return FileContent.text(path);
        } catch (IOException unreadable) {
            throw ClientConfigurationException.because("kubeconfig " + path + " cannot be read", unreadable);
        }
    }

    /** The user of a kubeconfig: the credentials, and the user to impersonate. */
    static final class KubeconfigUser {
        private final KubeconfigSection user;
        private final Map<String, String> environment;
        private final Optional<Certificate> certificate;

        KubeconfigUser(KubeconfigSection user, Map<String, String> environment) {
            this.user = user;
            this.environment = environment;
            this.certificate = certificate(user);
        }

        private static Optional<Certificate> certificate(KubeconfigSection user) {
            Optional<byte[]> chain = user.data("client-certificate");
            Optional<byte[]> key = user.data("client-key");
            if (chain.isPresent() != key.isPresent()) {
                throw user.problem("client-certificate", "and client-key are only good together");
            }
            return chain.map(pem -> checked(user, pem, key.orElseThrow()));
        }

        private static Certificate checked(KubeconfigSection user, byte[] chain, byte[] key) {
            try {
                Certificate certificate = new Certificate(text(chain), text(key));
                certificate.parse();
                return certificate;
            } catch (GeneralSecurityException unusable) {
                throw user.problem("client-certificate", "and client-key cannot be used: " + unusable.getMessage());
            }
        }

        private static String text(byte[] pem) {
            return new String(pem, StandardCharsets.UTF_8);
        }

        boolean hasCertificate() {
            return certificate.isPresent();
        }

        Impersonation impersonation() {
            return Impersonation.of(user);
        }

        /** A certificate is shown whatever else there is, and over the one that a plugin gives. */
        CredentialSource credentials(InstantSource clock) {
            CredentialSource others = others(clock);
            return certificate
                    .<CredentialSource>map(first -> new WithClientCertificate(
                            others,
                            new CredentialFiles<>(first, () -> certificate(user).orElse(first), clock)))
                    .orElse(others);
        }

        /** Of all that is no certificate, the first of these. */
        private CredentialSource others(InstantSource clock) {
            Optional<Credential> token = user.string("token").map(this::bearer);
            Optional<String> file = user.string("tokenFile");
            Optional<KubeconfigSection> exec = user.section("exec");
            if (file.isPresent()) {
                return begun(new TokenFile(user.resolve(file.get()), token, clock));
            }
            if (token.isPresent()) {
                return CredentialSource.fixed(token.get());
            }
            if (exec.isPresent()) {
                ExecPlugin plugin = ExecPlugin.of(exec.get(), environment);
                return begun(new RenewedCredential(() -> made(plugin.run()), clock));
            }
            user.section("auth-provider").ifPresent(provider -> {
                throw user.problem(
                        "auth-provider",
                        "\"" + provider.string("name").orElse("")
                                + "\" is no authentication that kube-scheduler has; use an exec" + " plugin");
            });
            return CredentialSource.fixed(user.string("username")
                    .map(name -> Credential.basic(name, user.string("password").orElse("")))
                    .orElse(Credential.NONE));
        }

        private RenewedCredential.Expiring made(RenewedCredential.Expiring byPlugin) {
            return hasCertificate() ? byPlugin.withoutCertificate() : byPlugin;
        }

        private Credential bearer(String token) {
            if (!Credential.fitsHeader(token)) {
                throw user.problem("token", "has a character that no token has");
            }
            return Credential.bearer(token);
        }

        /** Reads it once at the start, so that the user sees at once what will not do. */
        private CredentialSource begun(CredentialSource source) {
            try {
                source.current();
                return source;
            } catch (IOException failed) {
                throw ClientConfigurationException.because("kubeconfig " + user.file(), failed);
            }
        }

        /**
         * Shows a client certificate with whatever another source gives.
         *
         * @param source of credentials without a certificate
         */
        private record WithClientCertificate(CredentialSource source, CredentialFiles<Certificate> files)
                implements CredentialSource {
            @Override
            public Credential current() throws IOException {
                return source.current().showing(files.current());
            }

            @Override
            public Optional<Credential> atHand() {
                return source.atHand().map(credential -> credential.showing(files.current()));
            }

            @Override
            public boolean reject(Credential refused) {
                boolean otherToken = source.reject(refused.withoutCertificate());
                boolean otherCertificate = !refused.certificate().equals(Optional.of(files.readAgain()));
                return otherToken || otherCertificate;
            }
        }
    }

    /**
     * A mapping in a kubeconfig file. What is not of the kind that it should be is an error that names the file and the
     * field, and never counts as absent.
     *
     * @param path from the root, as in {@code users[jane].user}; empty for the root
     */
    record KubeconfigSection(Path file, String path, Map<?, ?> fields) {

        /** Makes a problem that the user can mend, in one line. */
        ClientConfigurationException problem(String field, String what) {
            return new ClientConfigurationException("kubeconfig " + file + ": " + pathOf(field) + " " + what);
        }

        private String pathOf(String field) {
            return path.isEmpty() ? field : path + "." + field;
        }

        /** Empty where it is absent or an empty string, which a kubeconfig does not tell apart. */
        Optional<String> string(String field) {
            return switch (fields.get(field)) {
                case null -> Optional.empty();
                case String text -> Optional.of(text).filter(value -> !value.isEmpty());
                default -> throw problem(field, "must be a string: put it in quotes");
            };
        }

        boolean truth(String field) {
            return switch (fields.get(field)) {
                case null -> false;
                case Boolean truth -> truth;
                default -> throw problem(field, "must be true or false");
            };
        }

        Optional<KubeconfigSection> section(String field) {
            return switch (fields.get(field)) {
                case null -> Optional.empty();
                case Map<?, ?> mapping -> Optional.of(new KubeconfigSection(file, pathOf(field), mapping));
                default -> throw problem(field, "must be a mapping");
            };
        }

        /** A list of mappings, which errors call by their names where they have any. */
        List<KubeconfigSection> sections(String field) {
            List<KubeconfigSection> sections = new ArrayList<>();
            for (Object element : list(field)) {
                if (!(element instanceof Map<?, ?> mapping)) {
                    throw problem(field, "must be a list of mappings");
                }
                String place = mapping.get("name") instanceof String name ? name : String.valueOf(sections.size());
                sections.add(new KubeconfigSection(file, pathOf(field) + "[" + place + "]", mapping));
            }
            return sections;
        }

        List<String> strings(String field) {
            List<String> strings = new ArrayList<>();
            for (Object element : list(field)) {
                if (!(element instanceof String text)) {
                    throw problem(field, "must be a list of strings");
                }
                strings.add(text);
            }
            return strings;
        }

        /** A mapping to lists of strings. */
        Map<String, List<String>> stringsByName(String field) {
            Map<String, List<String>> byName = new LinkedHashMap<>();
            section(field).ifPresent(mapping -> {
                for (Object key : mapping.fields().keySet()) {
                    String name = String.valueOf(key);
                    byName.put(name, mapping.strings(name));
                }
            });
            return byName;
        }

        private List<?> list(String field) {
            return switch (fields.get(field)) {
                case null -> List.of();
                case List<?> values -> values;
                default -> throw problem(field, "must be a list");
            };
        }

        /** A file that is named here, relative to this one. */
        Path resolve(String other) {
            return file.resolveSibling(other);
        }

        /** Reads {@code field-data} in base64, else the file that the field names. */
        Optional<byte[]> data(String field) {
            String inline = field + "-data";
            Optional<String> encoded = string(inline);
            if (encoded.isPresent()) {
                try {
                    return Optional.of(Base64.getDecoder().decode(encoded.get().replaceAll("\\s", "")));
                } catch (IllegalArgumentException noBase64) {
                    throw problem(inline, "is no base64");
                }
            }
            return string(field).map(place -> read(field, resolve(place)));
        }

        private byte[] read(String field, Path place) {
            try {
                return FileContent.bytes(place);
            } catch (IOException unreadable) {
                throw ClientConfigurationException.because(
                        "kubeconfig " + file + ": cannot read " + field + " " + place, unreadable);
            }
        }
    }
}
