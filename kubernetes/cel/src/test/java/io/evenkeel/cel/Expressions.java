package io.evenkeel.cel;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random expressions that mostly have a type; now and then a part is of another than is asked for. */
final class Expressions {
    private static final List<String> TYPES = List.of("int", "uint", "double", "string", "bool", "list", "map");

    private final Random random;
    private final List<String> locals = new ArrayList<>();

    Expressions(Random random) {
        this.random = random;
    }

    String any(int depth) {
        return of(TYPES.get(random.nextInt(TYPES.size())), depth);
    }

    String of(String wanted, int depth) {
        String type = random.nextInt(60) == 0 ? TYPES.get(random.nextInt(TYPES.size())) : wanted;
        return switch (type) {
            case "int" -> whole(depth);
            case "uint" -> depth <= 0 ? random.nextInt(9) + "u" : unsigned(depth);
            case "double" -> depth <= 0 ? one("0.5", "2.0", "-1.25", "1e3") : doubles(depth);
            case "string" -> text(depth);
            case "bool" -> truth(depth);
            case "list" -> list(depth);
            default -> map(depth);
        };
    }

    private String whole(int depth) {
        if (depth <= 0) {
            return locals.isEmpty() || random.nextBoolean()
                    ? one("i", "0", "1", "2", "7", "-3", "9223372036854775807", "0x1F")
                    : locals.get(random.nextInt(locals.size()));
        }
        int d = depth - 1;
        return switch (random.nextInt(9)) {
            case 0, 1 -> "(" + of("int", d) + one(" + ", " - ", " * ", " / ", " % ") + of("int", d) + ")";
            case 2 -> "size(" + of(one("string", "list", "map"), d) + ")";
            case 3 -> "(" + of("bool", d) + " ? " + of("int", d) + " : " + of("int", d) + ")";
            case 4 -> of("list", d) + "[" + of("int", 0) + "]";
            case 5 -> of("map", d) + one(".a", "['b']", "[" + of("string", 0) + "]");
            case 6 -> "int(" + of(one("uint", "string", "int"), d) + ")";
            case 7 -> "-(" + of("int", d) + ")";
            default -> of("int", 0);
        };
    }

    private String unsigned(int depth) {
        int d = depth - 1;
        return random.nextInt(3) == 0
                ? "uint(" + of("int", d) + ")"
                : "(" + of("uint", d) + one(" + ", " - ", " * ", " / ", " % ") + of("uint", d) + ")";
    }

    private String doubles(int depth) {
        int d = depth - 1;
        return random.nextInt(3) == 0
                ? "double(" + of("int", d) + ")"
                : "(" + of("double", d) + one(" + ", " - ", " * ", " / ") + of("double", d) + ")";
    }

    private String text(int depth) {
        if (depth <= 0) {
            return one("s", "''", "'a'", "\"b\"", "'äöü'", "r'\\n'", "'''x\ny'''", "'\\u0041\\x41'", "'😀'");
        }
        int d = depth - 1;
        return switch (random.nextInt(4)) {
            case 0 -> "(" + of("string", d) + " + " + of("string", d) + ")";
            // the text of a double is the reference's, and a key is of no wrong type
            case 1 -> "string(" + (random.nextBoolean() ? whole(d) : truth(d)) + ")";
            case 2 -> "(" + of("bool", d) + " ? " + of("string", d) + " : " + of("string", d) + ")";
            default -> of("string", 0);
        };
    }

    private String truth(int depth) {
        if (depth <= 0) {
            return one("true", "false", "b");
        }
        int d = depth - 1;
        return switch (random.nextInt(10)) {
            case 0, 1 -> "(" + of("bool", d) + one(" && ", " || ") + of("bool", d) + ")";
            case 2 -> "!" + of("bool", d);
            case 3 -> {
                String type = one("int", "uint", "double", "string");
                yield "(" + of(type, d) + one(" < ", " <= ", " > ", " >= ") + of(type, d) + ")";
            }
            case 4 -> {
                String type = one("int", "uint", "double", "string", "bool", "list", "map");
                yield "(" + of(type, d) + one(" == ", " != ") + of(type, d) + ")";
            }
            case 5 -> of("list", d) + local(one(".all(", ".exists(", ".exists_one("), "bool", d);
            case 6 -> "(" + of("int", d) + " in " + of("list", d) + ")";
            case 7 -> "(" + of("string", d) + " in " + of("map", d) + ")";
            case 8 -> of("string", d) + one(".contains(", ".startsWith(", ".endsWith(") + of("string", 0) + ")";
            default -> "has(" + of("map", d) + ".a)";
        };
    }

    private String list(int depth) {
        if (depth <= 0) {
            return one("l", "[]", "[1]", "[1, 2, 3]");
        }
        int d = depth - 1;
        return switch (random.nextInt(5)) {
            case 0 -> "[" + of("int", d) + ", " + of("int", d) + "]";
            case 1 -> "(" + of("list", d) + " + " + of("list", d) + ")";
            case 2 -> of("list", d) + local(".map(", "int", d);
            case 3 -> of("list", d) + local(".filter(", "bool", d);
            default -> of("list", 0);
        };
    }

    private String map(int depth) {
        return depth <= 0
                ? one("m", "{'a': 1}", "{'b': 2, 'a': 3}")
                : "{" + text(depth - 1) + ": " + of("int", depth - 1) + "}";
    }

    private String local(String macro, String type, int depth) {
        String name = "v" + locals.size();
        locals.add(name);
        String body = of(type, depth);
        locals.removeLast();
        return macro + name + ", " + body + ")";
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
