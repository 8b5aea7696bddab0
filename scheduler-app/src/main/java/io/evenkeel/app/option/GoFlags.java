package io.evenkeel.app.option;

import io.evenkeel.app.option.Converters.GoBool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The spelling of flags that components of Kubernetes accept: {@code _} for {@code -} in names, {@code --help=true}, a list
 * given in several flags. A boolean's value needs its {@code =}, as there: apart from the flag it would be an argument.
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
        requireValuesOfBooleansWithThem(flags, command);
        joinLists(flags, command);
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

    private static void requireValuesOfBooleansWithThem(List<String> args, CommandSpec command) {
        for (int i = 0; i + 1 < args.size(); i++) {
            OptionSpec option = command.findOption(args.get(i));
            String next = args.get(i + 1);
            if (option != null
                    && args.get(i).startsWith("--")
                    && option.arity().min() == 0
                    && GoBool.parse(next).isPresent()) {
                throw new ParameterException(
                        command.commandLine(),
                        "the value of " + args.get(i) + " goes with it: use " + args.get(i) + "=" + next);
            }
        }
    }

    /** Joins the parts of a list in the first of its flags. */
    private static void joinLists(List<String> args, CommandSpec command) {
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < args.size(); i++) {
            String[] nameAndValue = args.get(i).split("=", 2);
            OptionSpec option = nameAndValue[0].startsWith("--") ? command.findOption(nameAndValue[0]) : null;
            if (option == null || !ListFlag.class.isAssignableFrom(option.type())) {
                continue;
            }
            if (nameAndValue.length == 1 && i + 1 < args.size()) {
                args.set(i, nameAndValue[0] + "=" + args.remove(i + 1));
            }
            Integer before = first.putIfAbsent(nameAndValue[0], i);
            if (before != null) {
                args.set(before, joined(args.get(before), args.remove(i).substring(nameAndValue[0].length() + 1)));
                i--;
            }
        }
    }

    private static String joined(String flag, String more) {
        return more.isEmpty() || flag.endsWith("=") ? flag + more : flag + "," + more;
    }

    /** The value of a flag that is a list with commas between: given again, the flag adds to it. */
    public interface ListFlag {}
}
