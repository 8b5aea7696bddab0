package io.evenkeel.cel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads CEL's grammar by recursive descent; what nests too deep is refused before the stack is. */
final class Parser {
    private static final int DEEPEST = 250;
    private static final int LONGEST = 100_000;
    private static final Set<String> RESERVED = Set.of(
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");
    private static final Map<String, String> COMPARISONS =
            Map.of("<", "_<_", "<=", "_<=_", ">", "_>_", ">=", "_>=_", "==", "_==_", "!=", "_!=_", "in", "@in");
    private static final Map<String, String> SUMS = Map.of("+", "_+_", "-", "_-_");
    private static final Map<String, String> PRODUCTS = Map.of("*", "_*_", "/", "_/_", "%", "_%_");

    private enum Kind {
        NAME,
        QUOTED_NAME,
        VALUE,
        SIGN,
        END
    }

    private record Token(
            Kind kind, int at, String text, @Nullable Object value) {}

    private final String source;
    private final Problems problems;
    private final boolean macros;
    private final List<Token> tokens = new ArrayList<>();
    private int next;
    private int depth;

    private Parser(String source, boolean macros) {
        this.source = source;
        this.problems = new Problems(source);
        this.macros = macros;
    }

    static Ast parse(String source, boolean macros) {
        int size = source.codePointCount(0, source.length());
        if (size > LONGEST) {
            throw new CelProblem("ERROR: :1:1: expression code point size exceeds limit: size: " + size + ", limit "
                    + LONGEST + "\n | <expression too large>\n | ^");
        }
        Parser parser = new Parser(source, macros);
        parser.read();
        Ast ast = parser.expression();
        if (parser.peek().kind != Kind.END) {
            throw parser.unexpected();
        }
        return ast;
    }

    /**
     * An expression that compiles, with other names in it: what is called is a function then, and what is a type stays, as do the
     * variables with their fields.
     */
    static String renamed(String source, Map<String, CelType> variables, DeviceSelector.Renaming names) {
        Parser parser = new Parser(source, true);
        parser.read();
        StringBuilder out = new StringBuilder();
        for (parser.next = 0; parser.peek().kind != Kind.END; parser.next++) {
            out.append(out.isEmpty() ? "" : " ").append(parser.renamed(variables, names));
        }
        return out.toString();
    }

    private String renamed(Map<String, CelType> variables, DeviceSelector.Renaming names) {
        Token token = peek();
        return switch (token.kind) {
            case QUOTED_NAME -> '`' + names.name(token.text) + '`';
            case NAME -> isOfLanguage(token, variables) ? token.text : names.name(token.text);
            case VALUE ->
                switch (token.value) {
                    case String text when isIndex() -> quoted(names.index(text));
                    case String text ->
                        quoted(names.text(text, isAt(1, "(") && at(2).kind == Kind.NAME ? at(2).text : ""));
                    case byte[] _ -> "b''";
                    case null, default -> token.text;
                };
            case SIGN, END -> token.text;
        };
    }

    private boolean isOfLanguage(Token token, Map<String, CelType> variables) {
        if (isAt(-1, "(") || Set.of("true", "false", "null", "in").contains(token.text)) {
            return true;
        }
        if (isAt(1, ".") || (isAt(1, "?") && isAt(2, "."))) {
            Token of = at(isAt(1, ".") ? 2 : 3);
            boolean isVariable = of.kind == Kind.NAME && !(isAt(1, ".") ? isAt(3, ".") : isAt(4, "."));
            return isVariable
                    && variables.containsKey(of.text)
                    && variables.get(of.text).field(token.text) != null;
        }
        return variables.containsKey(token.text)
                || Library.TYPES.containsKey(token.text)
                || (token.text.equals("cel") && isAt(-1, "."));
    }

    /** Whether the token stands in brackets behind a value, not in a list. */
    private boolean isIndex() {
        int bracket = isAt(1, "?") ? 2 : 1;
        Token of = at(bracket + 1);
        return isAt(bracket, "[")
                && (of.kind == Kind.QUOTED_NAME
                        || (of.kind == Kind.NAME && !of.text.equals("in"))
                        || (of.kind == Kind.SIGN && Set.of(")", "]").contains(of.text)));
    }

    /** The token so far before the next one. */
    private Token at(int before) {
        int index = next - before;
        return index < 0 ? new Token(Kind.END, 0, "", null) : tokens.get(index);
    }

    private boolean isAt(int before, String sign) {
        return at(before).kind == Kind.SIGN && at(before).text.equals(sign);
    }

    private static String quoted(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                + '"';
    }

    private Ast expression() {
        deeper();
        Ast condition = logic(false);
        if (takes("?")) {
            int at = before();
            Ast yes = logic(false);
            expect(":");
            Ast no = expression();
            condition = new Ast.Choice(at, condition, yes, no);
        }
        depth--;
        return condition;
    }

    private Ast logic(boolean all) {
        Ast first = all ? comparison() : logic(true);
        String sign = all ? "&&" : "||";
        if (!isSign(sign)) {
            return first;
        }
        int at = peek().at;
        List<Ast> terms = new ArrayList<>(List.of(first));
        while (takes(sign)) {
            terms.add(all ? comparison() : logic(true));
        }
        return new Ast.Logic(at, all, List.copyOf(terms));
    }

    private Ast comparison() {
        return chain(COMPARISONS, () -> chain(SUMS, () -> chain(PRODUCTS, this::unary)));
    }

    private Ast chain(Map<String, String> operators, java.util.function.Supplier<Ast> operand) {
        int before = depth;
        Ast left = operand.get();
        while (true) {
            Token token = peek();
            String function = token.kind == Kind.SIGN || token.kind == Kind.NAME ? operators.get(token.text) : null;
            if (function == null) {
                depth = before;
                return left;
            }
            next++;
            deeper();
            left = new Ast.Call(token.at, function, null, List.of(left, operand.get()));
        }
    }

    private Ast unary() {
        Token token = peek();
        if (!isSign("!") && !isSign("-")) {
            return member(primary());
        }
        int count = 0;
        while (takes(token.text)) {
            count++;
        }
        deeper();
        Ast operand;
        if (token.text.equals("-") && peek().kind == Kind.VALUE && peek().value instanceof Number) {
            count--;
            operand = member(negative(tokens.get(next++)));
        } else {
            operand = unaryOperand();
        }
        depth--;
        // an even number of signs is none
        return count % 2 == 0
                ? operand
                : new Ast.Call(token.at, token.text.equals("-") ? "-_" : "!_", null, List.of(operand));
    }

    private Ast unaryOperand() {
        if (isSign("!") || isSign("-")) {
            return unary();
        }
        return member(primary());
    }

    private Ast negative(Token token) {
        if (token.value instanceof Double value) {
            return new Ast.Constant(token.at, -value);
        }
        if (token.value instanceof Whole whole) {
            return new Ast.Constant(token.at, whole(token, "-" + whole.digits, whole.radix));
        }
        throw problem(token.at, "Syntax error: unexpected '-' before " + token.text);
    }

    private Ast primary() {
        Token token = tokens.get(next++);
        switch (token.kind) {
            case VALUE -> {
                Object value = token.value;
                if (value instanceof Whole whole) {
                    value = whole(token, whole.digits, whole.radix);
                }
                return new Ast.Constant(token.at, java.util.Objects.requireNonNull(value));
            }
            case NAME -> {
                return switch (token.text) {
                    case "true" -> new Ast.Constant(token.at, true);
                    case "false" -> new Ast.Constant(token.at, false);
                    case "null" -> new Ast.Constant(token.at, Values.NULL);
                    default -> named(token, token.text);
                };
            }
            case SIGN -> {
                switch (token.text) {
                    case "(" -> {
                        Ast inner = expression();
                        expect(")");
                        return inner;
                    }
                    case "[" -> {
                        return elements(token.at);
                    }
                    case "{" -> {
                        return new Ast.Entries(token.at, entries(false));
                    }
                    case "." -> {
                        Token name = peek();
                        if (name.kind == Kind.NAME) {
                            next++;
                            return named(name, "." + name.text);
                        }
                    }
                    default -> {}
                }
            }
            default -> {}
        }
        next--;
        throw unexpected();
    }

    private Ast named(Token token, String name) {
        if (RESERVED.contains(token.text)) {
            throw problem(token.at, "Syntax error: reserved identifier: " + token.text);
        }
        if (token.text.equals("in")) {
            next--;
            throw unexpected();
        }
        if (takes("(")) {
            int at = before();
            List<Ast> arguments = arguments();
            if (macros && token.text.equals("has")) {
                if (arguments.size() == 1 && arguments.getFirst() instanceof Ast.Select select && !select.optional()) {
                    return new Ast.Has(at, select);
                }
                throw problem(at, "invalid argument to has() macro");
            }
            return new Ast.Call(at, name, null, arguments);
        }
        return new Ast.Name(token.at, name);
    }

    private Ast member(Ast start) {
        int before = depth;
        Ast operand = start;
        while (true) {
            if (takes(".")) {
                int at = before();
                boolean optional = takes("?");
                Token name = tokens.get(next++);
                if ((name.kind != Kind.NAME && name.kind != Kind.QUOTED_NAME)
                        || (name.kind == Kind.NAME
                                && Set.of("in", "true", "false", "null").contains(name.text))) {
                    next--;
                    throw unexpected();
                }
                if (!optional && name.kind == Kind.NAME && takes("(")) {
                    int call = before();
                    operand = call(call, operand, name.text, arguments());
                } else {
                    operand = new Ast.Select(at, operand, name.text, optional);
                }
            } else if (takes("[")) {
                int at = before();
                boolean optional = takes("?");
                Ast index = expression();
                expect("]");
                operand = new Ast.Call(at, optional ? "_[?_]" : "_[_]", null, List.of(operand, index));
            } else {
                String type = isSign("{") ? qualified(operand) : null;
                if (type == null) {
                    depth = before;
                    return operand;
                }
                int at = peek().at;
                next++;
                operand = new Ast.Message(at, type, entries(true));
            }
            deeper();
        }
    }

    static @Nullable String qualified(Ast ast) {
        return switch (ast) {
            case Ast.Name name -> name.name();
            case Ast.Select select
            when !select.optional() -> {
                String prefix = qualified(select.operand());
                yield prefix == null ? null : prefix + "." + select.field();
            }
            default -> null;
        };
    }

    private Ast call(int at, Ast target, String name, List<Ast> arguments) {
        if (!macros) {
            return new Ast.Call(at, name, target, arguments);
        }
        int count = arguments.size();
        if (name.equals("bind")
                && count == 3
                && target instanceof Ast.Name cel
                && cel.name().equals("cel")) {
            return new Ast.Bind(at, variable(arguments.get(0)), arguments.get(1), arguments.get(2));
        }
        boolean two = count > 2;
        return switch (name + "/" + count) {
            case "all/2", "all/3" -> fold(at, Ast.FoldKind.ALL, target, arguments, two, false);
            case "exists/2", "exists/3" -> fold(at, Ast.FoldKind.EXISTS, target, arguments, two, false);
            case "exists_one/2", "exists_one/3", "existsOne/2", "existsOne/3" ->
                fold(at, Ast.FoldKind.EXISTS_ONE, target, arguments, two, false);
            case "map/2" -> fold(at, Ast.FoldKind.LIST, target, arguments, false, false);
            case "map/3" -> fold(at, Ast.FoldKind.LIST, target, arguments, false, true);
            case "filter/2" ->
                new Ast.Fold(at, Ast.FoldKind.LIST, target, variable(arguments.get(0)), null, arguments.get(1), null);
            case "transformList/3" -> fold(at, Ast.FoldKind.LIST, target, arguments, true, false);
            case "transformList/4" -> fold(at, Ast.FoldKind.LIST, target, arguments, true, true);
            case "transformMap/3" -> fold(at, Ast.FoldKind.MAP, target, arguments, true, false);
            case "transformMap/4" -> fold(at, Ast.FoldKind.MAP, target, arguments, true, true);
            case "transformMapEntry/3" -> fold(at, Ast.FoldKind.MAP_ENTRY, target, arguments, true, false);
            case "transformMapEntry/4" -> fold(at, Ast.FoldKind.MAP_ENTRY, target, arguments, true, true);
            case "optMap/2" -> new Ast.OptionalMap(at, target, variable(arguments.get(0)), arguments.get(1), false);
            case "optFlatMap/2" -> new Ast.OptionalMap(at, target, variable(arguments.get(0)), arguments.get(1), true);
            case "sortBy/2" -> new Ast.SortBy(at, target, variable(arguments.get(0)), arguments.get(1));
            default -> new Ast.Call(at, name, target, arguments);
        };
    }

    private Ast fold(int at, Ast.FoldKind kind, Ast range, List<Ast> arguments, boolean two, boolean filtered) {
        String first = variable(arguments.get(0));
        String second = two ? variable(arguments.get(1)) : null;
        if (first.equals(second)) {
            throw problem(arguments.get(1).at(), "duplicate variable name: " + first);
        }
        return new Ast.Fold(
                at,
                kind,
                range,
                first,
                second,
                filtered ? arguments.get(arguments.size() - 2) : null,
                arguments.getLast());
    }

    private String variable(Ast ast) {
        if (ast instanceof Ast.Name name && !name.name().startsWith(".")) {
            return name.name();
        }
        throw problem(ast.at(), "argument must be a simple name");
    }

    private List<Ast> arguments() {
        List<Ast> arguments = new ArrayList<>();
        if (!isSign(")")) {
            do {
                arguments.add(expression());
            } while (takes(","));
        }
        expect(")");
        return List.copyOf(arguments);
    }

    private Ast elements(int at) {
        List<Ast.Element> elements = new ArrayList<>();
        while (!isSign("]")) {
            boolean optional = takes("?");
            elements.add(new Ast.Element(expression(), optional));
            if (!takes(",")) {
                break;
            }
        }
        expect("]");
        return new Ast.Elements(at, List.copyOf(elements));
    }

    private List<Ast.Entry> entries(boolean fields) {
        List<Ast.Entry> entries = new ArrayList<>();
        while (!isSign("}")) {
            boolean optional = takes("?");
            Ast key;
            if (fields) {
                Token name = tokens.get(next++);
                if (name.kind != Kind.NAME && name.kind != Kind.QUOTED_NAME) {
                    next--;
                    throw unexpected();
                }
                key = new Ast.Constant(name.at, name.text);
            } else {
                key = expression();
            }
            expect(":");
            entries.add(new Ast.Entry(key, expression(), optional));
            if (!takes(",")) {
                break;
            }
        }
        expect("}");
        return List.copyOf(entries);
    }

    private void deeper() {
        if (++depth > DEEPEST) {
            throw new CelProblem("ERROR: :-1:0: expression recursion limit exceeded: " + DEEPEST);
        }
    }

    private Token peek() {
        return tokens.get(next);
    }

    private boolean isSign(String sign) {
        return peek().kind == Kind.SIGN && peek().text.equals(sign);
    }

    private boolean takes(String sign) {
        if (!isSign(sign)) {
            return false;
        }
        next++;
        return true;
    }

    private int before() {
        return tokens.get(next - 1).at;
    }

    private void expect(String sign) {
        if (!takes(sign)) {
            Token token = peek();
            throw problem(
                    token.at,
                    "Syntax error: mismatched input '" + (token.kind == Kind.END ? "<EOF>" : token.text)
                            + "' expecting '" + sign + "'");
        }
    }

    private CelProblem unexpected() {
        Token token = peek();
        return problem(
                token.at,
                "Syntax error: mismatched input '" + (token.kind == Kind.END ? "<EOF>" : token.text)
                        + "' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, "
                        + "NUM_UINT, STRING, BYTES, IDENTIFIER}");
    }

    private CelProblem problem(int at, String message) {
        return problems.at(at, message);
    }

    // ---- tokens

    /** Digits without a sign yet. */
    private static final class Whole extends Number {
        final String digits;
        final int radix;

        Whole(String digits, int radix) {
            this.digits = digits;
            this.radix = radix;
        }

        @Override
        public int intValue() {
            return 0;
        }

        @Override
        public long longValue() {
            return 0;
        }

        @Override
        public float floatValue() {
            return 0;
        }

        @Override
        public double doubleValue() {
            return 0;
        }
    }

    private Long whole(Token token, String digits, int radix) {
        try {
            return Long.parseLong(digits, radix);
        } catch (NumberFormatException _) {
            throw problem(token.at, "Syntax error: invalid int literal");
        }
    }

    private void read() {
        int at = 0;
        int end = source.length();
        while (at < end) {
            char c = source.charAt(at);
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
                at++;
            } else if (source.startsWith("//", at)) {
                int line = source.indexOf('\n', at);
                at = line < 0 ? end : line;
            } else if (isDigit(c) || (c == '.' && at + 1 < end && isDigit(source.charAt(at + 1)))) {
                at = number(at);
            } else if (c == '"' || c == '\'' || prefix(at) > 0) {
                at = string(at);
            } else if (isNameStart(c)) {
                int start = at;
                while (at < end && (isNameStart(source.charAt(at)) || isDigit(source.charAt(at)))) {
                    at++;
                }
                tokens.add(new Token(Kind.NAME, start, source.substring(start, at), null));
            } else if (c == '`') {
                int close = source.indexOf('`', at + 1);
                String name = close < 0 ? "" : source.substring(at + 1, close);
                if (name.isEmpty()
                        || !name.chars()
                                .allMatch(one -> isNameStart((char) one)
                                        || isDigit((char) one)
                                        || one == '.'
                                        || one == '-'
                                        || one == '/'
                                        || one == ' ')) {
                    throw problem(at, "Syntax error: token recognition error at: '`'");
                }
                tokens.add(new Token(Kind.QUOTED_NAME, at, name, null));
                at = close + 1;
            } else {
                String two = source.substring(at, Math.min(end, at + 2));
                String sign = Set.of("&&", "||", "==", "!=", "<=", ">=").contains(two) ? two : two.substring(0, 1);
                if (sign.length() == 1 && "?:+-*/%<>!.,()[]{}".indexOf(c) < 0) {
                    throw problem(
                            at,
                            "Syntax error: token recognition error at: '" + Character.toString(source.codePointAt(at))
                                    + "'");
                }
                tokens.add(new Token(Kind.SIGN, at, sign, null));
                at += sign.length();
            }
        }
        tokens.add(new Token(Kind.END, end, "", null));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private int number(int start) {
        int at = start;
        int end = source.length();
        int radix = 10;
        boolean floating = false;
        if (source.startsWith("0x", at) || source.startsWith("0X", at)) {
            radix = 16;
            at += 2;
            while (at < end && Character.digit(source.charAt(at), 16) >= 0 && source.charAt(at) < 128) {
                at++;
            }
        } else {
            at = digits(at);
            if (at + 1 < end && source.charAt(at) == '.' && isDigit(source.charAt(at + 1))) {
                floating = true;
                at = digits(at + 1);
            }
            if (at < end && (source.charAt(at) == 'e' || source.charAt(at) == 'E')) {
                int sign = at + 1;
                if (sign < end && (source.charAt(sign) == '+' || source.charAt(sign) == '-')) {
                    sign++;
                }
                if (sign < end && isDigit(source.charAt(sign))) {
                    floating = true;
                    at = digits(sign);
                }
            }
        }
        String text = source.substring(start, at);
        String digits = radix == 16 ? text.substring(2) : text;
        Object value;
        if (floating) {
            value = Double.parseDouble(text);
        } else if (at < end && (source.charAt(at) == 'u' || source.charAt(at) == 'U')) {
            at++;
            try {
                value = new CelUint(Long.parseUnsignedLong(digits, radix));
            } catch (NumberFormatException _) {
                throw problem(start, "Syntax error: invalid uint literal");
            }
        } else {
            value = new Whole(digits, radix);
        }
        tokens.add(new Token(Kind.VALUE, start, source.substring(start, at), value));
        return at;
    }

    private int digits(int from) {
        int at = from;
        while (at < source.length() && isDigit(source.charAt(at))) {
            at++;
        }
        return at;
    }

    /** How many letters stand before a quote: r, b, rb or br. */
    private int prefix(int at) {
        int letters = 0;
        boolean raw = false;
        boolean bytes = false;
        while (letters < 2 && at + letters < source.length()) {
            char c = Character.toLowerCase(source.charAt(at + letters));
            if (c == 'r' && !raw) {
                raw = true;
            } else if (c == 'b' && !bytes) {
                bytes = true;
            } else {
                break;
            }
            letters++;
        }
        int quote = at + letters;
        return letters > 0 && quote < source.length() && (source.charAt(quote) == '"' || source.charAt(quote) == '\'')
                ? letters
                : 0;
    }

    private int string(int start) {
        int letters = prefix(start);
        String marks = source.substring(start, start + letters).toLowerCase(java.util.Locale.ROOT);
        boolean raw = marks.contains("r");
        boolean bytes = marks.contains("b");
        int at = start + letters;
        String one = source.substring(at, at + 1);
        String quote = source.startsWith(one.repeat(3), at) ? one.repeat(3) : one;
        at += quote.length();
        StringBuilder text = new StringBuilder();
        java.io.ByteArrayOutputStream octets = new java.io.ByteArrayOutputStream();
        while (true) {
            if (at >= source.length()
                    || (quote.length() == 1 && (source.charAt(at) == '\n' || source.charAt(at) == '\r'))) {
                throw problem(
                        start,
                        "Syntax error: token recognition error at: '"
                                + source.substring(start, Math.min(at, start + 40)) + "'");
            }
            if (source.startsWith(quote, at)) {
                at += quote.length();
                break;
            }
            int c = source.codePointAt(at);
            int width = Character.charCount(c);
            boolean octet = false;
            if (c == '\\' && raw && at + 1 < source.length()) {
                text.append('\\');
                if (bytes) {
                    octets.write('\\');
                }
                at++;
                c = source.codePointAt(at);
                width = Character.charCount(c);
            } else if (c == '\\') {
                if (at + 1 >= source.length()) {
                    throw problem(start, "Syntax error: token recognition error at: '\\'");
                }
                char escape = source.charAt(at + 1);
                int plain = "abfnrtv\\?\"'`".indexOf(escape);
                if (plain >= 0) {
                    c = "\u0007\b\f\n\r\t\u000b\\?\"'`".charAt(plain);
                    width = 2;
                } else {
                    int length = switch (escape) {
                        case 'x', 'X' -> 2;
                        case 'u' -> bytes ? 0 : 4;
                        case 'U' -> bytes ? 0 : 8;
                        case '0', '1', '2', '3' -> 3;
                        default -> 0;
                    };
                    int radix = isDigit(escape) ? 8 : 16;
                    int from = radix == 8 ? at + 1 : at + 2;
                    c = escaped(start, from, length, radix);
                    width = from + length - at;
                    octet = bytes;
                }
            }
            if (bytes && octet) {
                octets.write(c);
            } else if (bytes) {
                octets.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            } else {
                text.appendCodePoint(c);
            }
            at += width;
        }
        tokens.add(new Token(
                Kind.VALUE, start, source.substring(start, at), bytes ? octets.toByteArray() : text.toString()));
        return at;
    }

    private int escaped(int start, int from, int length, int radix) {
        long code = length == 0 || from + length > source.length() ? -1 : 0;
        for (int at = from; code >= 0 && at < from + length; at++) {
            int digit = source.charAt(at) < 128 ? Character.digit(source.charAt(at), radix) : -1;
            code = digit < 0 ? -1 : code * radix + digit;
        }
        if (code < 0 || code > Character.MAX_CODE_POINT || (code >= 0xd800 && code <= 0xdfff)) {
            throw problem(start, "Syntax error: invalid escape sequence in literal");
        }
        return (int) code;
    }
}
