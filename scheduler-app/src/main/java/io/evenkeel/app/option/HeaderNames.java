package io.evenkeel.app.option;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Names of HTTP headers, or prefixes of such names, with commas between. */
public final class HeaderNames implements ITypeConverter<NameList> {
    private static final Pattern NAME = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");

    @Override
    public NameList convert(String value) {
        NameList list = new NameList.Converter().convert(value);
        for (String name : list.names()) {
            if (!NAME.matcher(name).matches()) {
                throw new TypeConversionException("\"" + name + "\" cannot be the name of a header");
            }
        }
        return list;
    }

    /** A list with one name at least. */
    public static final class OneAtLeast implements ITypeConverter<NameList> {
        @Override
        public NameList convert(String value) {
            NameList list = new HeaderNames().convert(value);
            if (list.names().isEmpty()) {
                throw new TypeConversionException("expected at least one header name");
            }
            return list;
        }
    }
}
