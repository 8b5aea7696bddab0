package io.evenkeel.kube.client;

import io.evenkeel.kube.client.Credential.Certificate;
import io.evenkeel.kube.client.RenewedCredential.TokenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The user of a kubeconfig: the credentials, and the user to impersonate. */
final class KubeconfigUser {
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
            throw new ClientConfigurationException(
                    "kubeconfig " + user.file() + ": " + ClientConfigurationException.reason(failed), failed);
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
