package io.evenkeel.app.option;

import java.net.InetAddress;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An IP address. Host names are refused: what they resolve to may change while the process runs. */
public final class IpAddress implements ITypeConverter<String> {
    private static final Pattern FOUR_NUMBERS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    @Override
    public String convert(String value) {
        try {
            if (!value.contains(":") && !FOUR_NUMBERS.matcher(value).matches()) {
                throw new IllegalArgumentException("Java would take fewer numbers too");
            }
            var _ = InetAddress.ofLiteral(value);
            return value;
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("expected an IP address such as 127.0.0.1 or ::1, got \"" + value + "\"");
        }
    }
}
