package io.evenkeel.app.option;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Log levels by source file, in klog's form for --vmodule: {@code queue*=4,cycle=5}. */
public final class ModuleLevels implements ITypeConverter<String> {
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern LEVEL = Pattern.compile("[^=]+=[0-9]{1,9}");

    @Override
    public String convert(String value) {
        COMMA.splitAsStream(value).filter(level -> !level.isEmpty()).forEach(ModuleLevels::check);
        return value;
    }

    private static void check(String level) {
        if (!LEVEL.matcher(level).matches()) {
            throw new TypeConversionException("\"" + level + "\" does not have the form PATTERN=N");
        }
    }
}
