package io.evenkeel.tls;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Private keys in PEM. Java reads PKCS#8; what openssl wrote before that is the innermost part of it, and is wrapped:
 *
 * <pre>
 * PKCS#8   SEQUENCE { 0, SEQUENCE { algorithm, its parameters }, OCTET STRING { key } }
 * PKCS#1   key, of RSA, which has no parameters
 * SEC1     key, of an elliptic curve, which is named within, or in a block of its own before
 * </pre>
 */
final class PrivateKeys {
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
        return Der.sequence(VERSION, algorithm, new Der(Der.OCTET_STRING, key)).encoded();
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
