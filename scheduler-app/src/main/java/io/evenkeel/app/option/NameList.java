package io.evenkeel.app.option;

import io.evenkeel.app.option.GoFlags.ListFlag;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Names with commas between; an empty text is an empty list, but no name in a list is empty. */
public record NameList(List<String> names) implements ListFlag {

    public static NameList of(String... names) {
        return new NameList(List.of(names));
    }

    @Override
    public String toString() {
        return "[" + String.join(",", names) + "]";
    }

    public static final class Converter implements ITypeConverter<NameList> {
        @Override
        public NameList convert(String value) {
            if (value.isEmpty()) {
                return of();
            }
            String[] names = value.split(",", -1);
            for (String name : names) {
                if (name.isBlank()) {
                    throw new TypeConversionException(
                            "expected names with commas between, none of them empty, got \"" + value + "\"");
                }
            }
            return of(names);
        }
    }
}
