package io.evenkeel.app.option;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The address of an API server: a URL, or one without its https://. */
public final class ServerAddress implements ITypeConverter<String> {
    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final int LAST_PORT = 65_535;

    @Override
    public String convert(String value) {
        if (value.isEmpty()) {
            throw new TypeConversionException("must not be empty");
        }
        try {
            URI address = new URI(value.contains("://") ? value : "https://" + value);
            if (SCHEMES.contains(address.getScheme()) && address.getHost() != null && address.getPort() <= LAST_PORT) {
                return value;
            }
        } catch (URISyntaxException noAddress) {
            // The same as a URL without a host.
        }
        throw new TypeConversionException(
                "expected the address of a server such as https://10.0.0.1:6443, got \"" + value + "\"");
    }
}
