package io.evenkeel.app.option;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Lets flags be spelt as components of Kubernetes take them: {@code _} for {@code -} in names, and a value for those of
 * help and version.
 */
public final class GoFlags implements IParameterPreprocessor {
    private static final String END_OF_FLAGS = "--";

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's
    public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
        List<String> inOrder = new ArrayList<>(args.reversed());
        int end = inOrder.indexOf(END_OF_FLAGS);
        List<String> flags = end < 0 ? inOrder : inOrder.subList(0, end);
        flags.replaceAll(GoFlags::withDashes);
        flags.replaceAll(GoFlags::withoutValue);
        args.clear();
        args.addAll(inOrder);
        Collections.reverse(args);
        return false;
    }

    private static String withDashes(String arg) {
        if (!arg.startsWith("--")) {
            return arg;
        }
        int equals = arg.indexOf('=');
        return equals < 0 ? arg.replace('_', '-') : arg.substring(0, equals).replace('_', '-') + arg.substring(equals);
    }

    private static String withoutValue(String arg) {
        for (String flag : List.of("--version", "--help")) {
            if (arg.startsWith(flag + "=")) {
                String value = arg.substring(flag.length() + 1);
                boolean given = value.equals("raw") || GoBool.parse(value).equals(Optional.of(true));
                return given ? flag : arg;
            }
        }
        return arg;
    }
}
