package io.evenkeel.tls;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The user and the groups that a certificate names, as Kubernetes reads them.
 *
 * @param commonName the last, where there are several; empty where there is none
 */
public record SubjectName(String commonName, List<String> organizations) {
    private static final Der COMMON_NAME = Der.identifier("2.5.4.3");
    private static final Der ORGANIZATION = Der.identifier("2.5.4.10");

    /** The kinds of strings: UTF8, Numeric, Printable, T61, IA5, Visible, Universal and BMP. */
    private static final Map<Integer, Charset> STRINGS = Map.of(
            Der.UTF8_STRING,
            StandardCharsets.UTF_8,
            0x12,
            StandardCharsets.US_ASCII,
            0x13,
            StandardCharsets.US_ASCII,
            0x14,
            StandardCharsets.ISO_8859_1,
            0x16,
            StandardCharsets.US_ASCII,
            0x1a,
            StandardCharsets.US_ASCII,
            0x1c,
            Charset.forName("UTF-32BE"),
            0x1e,
            StandardCharsets.UTF_16BE);

    public static SubjectName of(X509Certificate certificate) {
        Der subject = Der.parse(certificate.getSubjectX500Principal().getEncoded());
        List<String> names = values(subject, COMMON_NAME);
        return new SubjectName(names.isEmpty() ? "" : names.getLast(), values(subject, ORGANIZATION));
    }

    /** A name is a sequence of sets of pairs: a type and its value. */
    private static List<String> values(Der subject, Der type) {
        List<String> values = new ArrayList<>();
        for (Der set : subject.parts()) {
            for (Der pair : set.parts()) {
                List<Der> typeAndValue = pair.parts();
                if (typeAndValue.getFirst().is(type)) {
                    text(typeAndValue.getLast()).ifPresent(values::add);
                }
            }
        }
        return values;
    }

    private static Optional<String> text(Der value) {
        return Optional.ofNullable(STRINGS.get(value.tag())).map(characters -> new String(value.content(), characters));
    }
}
