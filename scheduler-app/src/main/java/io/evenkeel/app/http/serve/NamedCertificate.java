package io.evenkeel.app.http.serve;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A certificate for some names, and the key to it.
 *
 * @param domains such as {@code example.com} or {@code *.example.com}, in lower case; empty for the certificate's own
 */
record NamedCertificate(Path certificate, Path key, List<String> domains) {
    private static final Pattern DOMAIN =
            Pattern.compile("(\\*\\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|.*:.*");

    NamedCertificate {
        domains = List.copyOf(domains);
    }

    @Override
    public String toString() {
        return certificate + "," + key + (domains.isEmpty() ? "" : ":" + String.join(",", domains));
    }

    /** Reads {@code cert,key} or {@code cert,key:domain,*.domain}. */
    static final class Converter implements ITypeConverter<NamedCertificate> {
        @Override
        public NamedCertificate convert(String value) {
            int colon = value.indexOf(':');
            String[] files = (colon < 0 ? value : value.substring(0, colon)).split(",", -1);
            if (files.length != 2 || files[0].isBlank() || files[1].isBlank()) {
                throw new TypeConversionException(
                        "expected comma separated certificate and key file paths, got \"" + value + "\"");
            }
            List<String> domains = new ArrayList<>();
            if (colon >= 0) {
                for (String domain : value.substring(colon + 1).split(",", -1)) {
                    domains.add(checked(domain.strip().toLowerCase(Locale.ROOT)));
                }
            }
            return new NamedCertificate(Path.of(files[0].strip()), Path.of(files[1].strip()), domains);
        }

        private static String checked(String domain) {
            if (ADDRESS.matcher(domain).matches()) {
                throw new TypeConversionException("\"" + domain + "\" is an address, for which clients ask by no name:"
                        + " they get the certificate of --tls-cert-file");
            }
            if (!DOMAIN.matcher(domain).matches()) {
                throw new TypeConversionException(
                        "expected a domain such as example.com or *.example.com, got \"" + domain + "\"");
            }
            return domain;
        }
    }
}
