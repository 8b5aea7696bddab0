package io.evenkeel.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** Certificates, one's own first, and the key to it: RSA, EC or Ed25519, as PKCS#8, PKCS#1 or SEC1, not encrypted. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares identities
public record PemIdentity(X509Certificate[] chain, PrivateKey key) {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");
    private static final char[] NO_PASSWORD = {};

    /**
     * Reads both.
     *
     * @throws GeneralSecurityException if there is no such thing in them, or they do not fit together
     */
    public static PemIdentity parse(byte[] certificates, byte[] key) throws GeneralSecurityException {
        X509Certificate[] chain = certificates(certificates);
        PemIdentity identity = new PemIdentity(chain, PrivateKeys.parse(key));
        if (!identity.keyFits()) {
            throw new GeneralSecurityException("the key is not that of the certificate of "
                    + chain[0].getSubjectX500Principal() + "; is the owner's own certificate the first?");
        }
        return identity;
    }

    /** At least one. What else is in the file is passed over, for some keep their key in it. */
    public static X509Certificate[] certificates(byte[] pem) throws GeneralSecurityException {
        String blocks = CERTIFICATE
                .matcher(new String(pem, StandardCharsets.ISO_8859_1))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining("\n"));
        if (blocks.isEmpty()) {
            throw new GeneralSecurityException("there is no certificate in PEM");
        }
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(blocks.getBytes(StandardCharsets.ISO_8859_1)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (CertificateException unreadable) {
            throw new GeneralSecurityException("there is a damaged certificate", unreadable);
        }
    }

    /** For one side of a TLS connection to show who it is. */
    public KeyManager[] keyManagers() throws GeneralSecurityException {
        try {
            // never written anywhere, so it need not be the store that takes ten thousand rounds to hide its keys
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("own", key, NO_PASSWORD, chain);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (IOException neverWithoutAFile) {
            throw new UncheckedIOException(neverWithoutAFile);
        }
    }

    private boolean keyFits() throws GeneralSecurityException {
        byte[] something = {1, 2, 3};
        Signature signature = Signature.getInstance(signatureOf(key.getAlgorithm()));
        try {
            signature.initSign(key);
            signature.update(something);
            byte[] signed = signature.sign();
            signature.initVerify(chain[0].getPublicKey());
            signature.update(something);
            return signature.verify(signed);
        } catch (InvalidKeyException e) {
            return false;
        }
    }

    private static String signatureOf(String algorithm) throws GeneralSecurityException {
        return switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            case "EdDSA" -> "EdDSA";
            default -> throw new GeneralSecurityException("the key is not RSA, EC or Ed25519 but " + algorithm);
        };
    }

    /**
     * Private keys in PEM. Java reads PKCS#8; what openssl wrote before that is the innermost part of it, and is wrapped:
     *
     * <pre>
     * PKCS#8   SEQUENCE { 0, SEQUENCE { algorithm, its parameters }, OCTET STRING { key } }
     * PKCS#1   key, of RSA, which has no parameters
     * SEC1     key, of an elliptic curve, which is named within, or in a block of its own before
     * </pre>
     */
    static final class PrivateKeys {
        private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
        private static final int NULL = 0x05;

        /** Also of keys that cannot be used, so that they can be named. */
        private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "XDH", "RSASSA-PSS", "DSA");

        private static final Der VERSION = Der.integer(BigInteger.ZERO);
        private static final Der RSA = Der.sequence(Der.identifier("1.2.840.113549.1.1.1"), new Der(NULL, new byte[0]));
        private static final Der ELLIPTIC = Der.identifier("1.2.840.10045.2.1");

        private PrivateKeys() {}

        /**
         * The first that is not encrypted.
         *
         * @throws GeneralSecurityException if there is none, or a damaged one
         */
        static PrivateKey parse(byte[] pem) throws GeneralSecurityException {
            Optional<Der> curve = Optional.empty();
            for (MatchResult block : BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1))
                    .results()
                    .toList()) {
                String content = block.group(2);
                boolean isEncrypted = content.contains(":"); // a header: some say how it is encrypted
                switch (isEncrypted ? "" : block.group(1)) {
                    case "PRIVATE KEY" -> {
                        return read(decoded(content));
                    }
                    case "RSA PRIVATE KEY" -> {
                        return read(wrapped(RSA, decoded(content)));
                    }
                    case "EC PRIVATE KEY" -> {
                        byte[] key = decoded(content);
                        Optional<Der> named = curveWithin(key);
                        Der[] onCurve = Stream.of(Optional.of(ELLIPTIC), named.isPresent() ? named : curve)
                                .flatMap(Optional::stream)
                                .toArray(Der[]::new);
                        return read(wrapped(Der.sequence(onCurve), key));
                    }
                    case "EC PARAMETERS" -> curve = Optional.of(parsed(decoded(content)));
                    default -> {} // such as the certificates that some keep in the same file
                }
            }
            throw new GeneralSecurityException("there is no private key in PEM that is not encrypted");
        }

        private static byte[] decoded(String content) throws GeneralSecurityException {
            try {
                return Base64.getMimeDecoder().decode(content);
            } catch (IllegalArgumentException damaged) {
                throw damaged(damaged);
            }
        }

        private static PrivateKey read(byte[] pkcs8) throws GeneralSecurityException {
            InvalidKeySpecException last = new InvalidKeySpecException("of no known algorithm");
            for (String algorithm : ALGORITHMS) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
                } catch (InvalidKeySpecException other) {
                    last = other;
                }
            }
            throw damaged(last);
        }

        private static GeneralSecurityException damaged(Exception why) {
            return new GeneralSecurityException("the private key is damaged", why);
        }

        private static byte[] wrapped(Der algorithm, byte[] key) {
            return Der.sequence(VERSION, algorithm, new Der(Der.OCTET_STRING, key))
                    .encoded();
        }

        /** The name of the curve that the key is on, where it says so. */
        private static Optional<Der> curveWithin(byte[] sec1) throws GeneralSecurityException {
            for (Der part : parts(parsed(sec1))) {
                if (part.isTagged(0)) {
                    return Optional.of(parsed(part.content()));
                }
            }
            return Optional.empty();
        }

        private static List<Der> parts(Der sequence) throws GeneralSecurityException {
            try {
                return sequence.parts();
            } catch (IllegalArgumentException damaged) {
                throw damaged(damaged);
            }
        }

        private static Der parsed(byte[] der) throws GeneralSecurityException {
            try {
                return Der.parse(der);
            } catch (IllegalArgumentException damaged) {
                throw damaged(damaged);
            }
        }
    }
}
