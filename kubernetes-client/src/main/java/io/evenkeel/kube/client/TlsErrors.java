package io.evenkeel.kube.client;

import io.evenkeel.kube.client.access.ServerAccess;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Says in plain words why a server is not trusted, where Java speaks of PKIX paths and lists whole certificates. */
final class TlsErrors {
    private TlsErrors() {}

    static SSLException inPlainWords(SSLException trouble, ServerAccess access) {
        String what = untrusted(trouble, access)
                .orElseGet(() ->
                        String.valueOf(trouble.getMessage()).lines().findFirst().orElse(""));
        return new SSLException(what, trouble);
    }

    private static Optional<String> untrusted(SSLException trouble, ServerAccess access) {
        if (trouble instanceof SSLPeerUnverifiedException) {
            return Optional.of("the server's certificate is not for this name or address");
        }
        if (isCausedBy(trouble, CertificateExpiredException.class)) {
            return Optional.of("the server's certificate has expired");
        }
        if (isCausedBy(trouble, CertificateNotYetValidException.class)) {
            return Optional.of("the server's certificate is not valid yet");
        }
        boolean untrusted = isCausedBy(trouble, CertPathBuilderException.class)
                || isCausedBy(trouble, CertPathValidatorException.class)
                || isCausedBy(trouble, CertificateException.class);
        if (!untrusted) {
            return Optional.empty();
        }
        return Optional.of(
                access.authority().isPresent()
                        ? "the server's certificate is not trusted by the configured certificate authority"
                        : "the server's certificate is not trusted, and no certificate authority is configured");
    }

    private static boolean isCausedBy(Throwable trouble, Class<? extends Throwable> cause) {
        for (Throwable each = trouble; each != null; each = each.getCause()) {
            if (cause.isInstance(each)) {
                return true;
            }
        }
        return false;
    }
}
