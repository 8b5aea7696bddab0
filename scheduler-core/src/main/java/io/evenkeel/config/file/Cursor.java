package io.evenkeel.config.file;

import io.evenkeel.problem.NearestName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A value in the document. Reading it as something that it is not logs an error and gives nothing. */
public final class Cursor {
    private final Node node;
    private final String path;
    private final ErrorLog errors;

    Cursor(Node node, String path, ErrorLog errors) {
        this.node = node;
        this.path = path;
        this.errors = errors;
    }

    /** From the root, as in {@code profiles[0].schedulerName}. */
    String path() {
        return path;
    }

    void error(String message) {
        errors.add(Optional.ofNullable(node.getStartMark()), path, message);
    }

    /**
     * Logs an error about a value below, by its path from here; where it is not there, at the innermost one around it that is.
     * An element of a list stands in the path by its number or, where it has one, by its name.
     */
    void errorAt(String pathFromHere, String message) {
        DocumentPath.of(pathFromHere).from(this).error(message);
    }

    void unexpected(String expected) {
        error("expected " + expected + ", got " + YamlType.describe(node));
    }

    Optional<String> string() {
        return scalar(YamlType.STRING, "a string");
    }

    Optional<Boolean> bool() {
        return scalar(YamlType.BOOLEAN, "true or false").map(GoResolver::isTrue);
    }

    /** A float without fraction counts as an integer, as it does after Go's detour over JSON. */
    OptionalLong integer(Range range) {
        Optional<BigInteger> number = switch (type()) {
            case INTEGER -> GoResolver.integer(text());
            case FLOAT -> withoutFraction(text());
            default -> Optional.empty();
        };
        if (number.isEmpty()) {
            unexpected("an integer");
            return OptionalLong.empty();
        }
        BigInteger value = number.get();
        if (!range.contains(value)) {
            error(range.problem(value));
            return OptionalLong.empty();
        }
        return OptionalLong.of(value.longValueExact());
    }

    OptionalDouble number() {
        if (type() == YamlType.INTEGER || type() == YamlType.FLOAT) {
            try {
                return OptionalDouble.of(GoResolver.integer(text())
                        .map(BigInteger::doubleValue)
                        .orElseGet(() -> Double.valueOf(text().replace("_", ""))));
            } catch (NumberFormatException notFinite) {
                // JSON, and so Go's reader, has no infinity: the message below fits
            }
        }
        unexpected("a number");
        return OptionalDouble.empty();
    }

    Optional<Duration> duration() {
        Optional<Duration> duration = type() == YamlType.STRING ? GoDuration.parse(text()) : Optional.empty();
        if (duration.isEmpty()) {
            unexpected("a duration such as \"15s\" or \"1m30s\"");
        }
        return duration;
    }

    <T> Optional<T> oneOf(Map<String, T> choices) {
        Optional<T> chosen = type() == YamlType.STRING ? Optional.ofNullable(choices.get(text())) : Optional.empty();
        if (chosen.isEmpty()) {
            String expected = "one of "
                    + String.join(", ", choices.keySet().stream().sorted().toList());
            error("expected " + expected + ", got " + YamlType.describe(node)
                    + (type() == YamlType.STRING ? NearestName.hint(text(), choices.keySet()) : ""));
        }
        return chosen;
    }

    /** Binds a mapping; fields that the binder does not ask for are errors. */
    public <T> Optional<T> mapping(Function<MappingFields, T> binder) {
        Optional<MappingFields> fields = MappingFields.of(this, node, errors);
        if (fields.isEmpty()) {
            unexpected("a mapping");
            return Optional.empty();
        }
        T bound = binder.apply(fields.get());
        fields.get().reportUnknown();
        return Optional.of(bound);
    }

    /** The elements that could be read. */
    <T> List<T> list(Function<Cursor, Optional<T>> reader) {
        List<T> elements = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            for (int i = 0; i < sequence.getValue().size(); i++) {
                Cursor element = at("[" + i + "]", sequence.getValue().get(i));
                reader.apply(element).ifPresent(elements::add);
            }
        } else {
            unexpected("a list");
        }
        return List.copyOf(elements);
    }

    /** Any mapping as a tree of maps, lists and scalars. */
    public Optional<Map<String, Object>> tree() {
        return PlainTree.of(this);
    }

    int size() {
        return node instanceof SequenceNode sequence ? sequence.getValue().size() : 0;
    }

    Cursor child(String name, Node value) {
        return new Cursor(value, path.isEmpty() ? name : path + "." + name, errors);
    }

    Cursor at(String index, Node element) {
        return new Cursor(element, path + index, errors);
    }

    Node node() {
        return node;
    }

    /** The place of a field that this mapping lacks. */
    Cursor missing(String name) {
        return child(name, node);
    }

    BigInteger anyInteger() {
        return GoResolver.integer(text()).orElse(BigInteger.ZERO);
    }

    boolean isNull() {
        return type() == YamlType.NULL;
    }

    YamlType type() {
        return YamlType.of(node);
    }

    private Optional<String> scalar(YamlType wanted, String expected) {
        if (type() == wanted) {
            return Optional.of(text());
        }
        unexpected(expected);
        return Optional.empty();
    }

    private String text() {
        return ((ScalarNode) node).getValue();
    }

    /** {@code 1e99999999} is short to write, and takes minutes as a number. */
    private static Optional<BigInteger> withoutFraction(String text) {
        try {
            String digits = text.replace("_", "");
            if (digits.length() > GoResolver.MOST_DIGITS) {
                return Optional.empty();
            }
            BigDecimal number = new BigDecimal(digits).stripTrailingZeros();
            return number.scale() > 0 || number.scale() < -GoResolver.MOST_DIGITS
                    ? Optional.empty()
                    : Optional.of(number.toBigIntegerExact());
        } catch (ArithmeticException | NumberFormatException fraction) {
            return Optional.empty();
        }
    }

    /** Values of unknown structure: maps, lists, strings, booleans, Long, BigInteger beyond that, and Double. */
    private static final class PlainTree {
        /** Only an alias inside its own anchor nests deeper, SnakeYAML's own limit being the same. */
        private static final int DEPTH_LIMIT = 50;

        private PlainTree() {}

        static Optional<Map<String, Object>> of(Cursor mapping) {
            return map(mapping, 0);
        }

        private static Optional<Map<String, Object>> map(Cursor cursor, int depth) {
            return cursor.mapping(fields -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (String name : fields.names()) {
                    fields.get(name).flatMap(value -> tree(value, depth + 1)).ifPresent(tree -> map.put(name, tree));
                }
                return map;
            });
        }

        private static Optional<Object> tree(Cursor value, int depth) {
            if (depth > DEPTH_LIMIT) {
                value.error("is nested too deeply");
                return Optional.empty();
            }
            return switch (value.type()) {
                case STRING -> value.string().map(text -> text);
                case BOOLEAN -> value.bool().map(truth -> truth);
                case INTEGER -> Optional.of(integer(value));
                case FLOAT ->
                    value.number().stream()
                            .boxed()
                            .<Object>map(number -> number)
                            .findFirst();
                case MAPPING -> map(value, depth).map(map -> map);
                case LIST -> Optional.of(value.list(element -> tree(element, depth + 1)));
                case NULL, OTHER -> {
                    value.unexpected("a string, number, boolean, mapping or list");
                    yield Optional.empty();
                }
            };
        }

        private static Object integer(Cursor value) {
            BigInteger number = value.anyInteger();
            return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
        }
    }

    enum YamlType {
        STRING,
        INTEGER,
        FLOAT,
        BOOLEAN,
        NULL,
        MAPPING,
        LIST,
        OTHER;

        private static final Map<Tag, YamlType> SCALARS = Map.of(
                Tag.STR, STRING,
                Tag.INT, INTEGER,
                Tag.FLOAT, FLOAT,
                Tag.BOOL, BOOLEAN,
                Tag.NULL, NULL,
                Tag.MERGE, STRING);

        static YamlType of(Node node) {
            return switch (node) {
                case MappingNode _ -> MAPPING;
                case SequenceNode _ -> LIST;
                case ScalarNode scalar -> SCALARS.getOrDefault(scalar.getTag(), OTHER);
                default -> OTHER;
            };
        }

        static String describe(Node node) {
            return switch (of(node)) {
                case STRING -> '"' + ((ScalarNode) node).getValue() + '"';
                case INTEGER, FLOAT, BOOLEAN -> ((ScalarNode) node).getValue();
                case NULL -> "null";
                case MAPPING -> "a mapping";
                case LIST -> "a list";
                case OTHER -> "a value tagged " + node.getTag();
            };
        }
    }

    /** The way down a document to a value, as {@code profiles[0].plugins.score.enabled[NodeAffinity].name} describes it. */
    record DocumentPath(List<MatchResult> steps) {
        private static final Pattern STEP = Pattern.compile("\\[([^]]*)]|([^.\\[\\]]+)");
        private static final String NAME = "name";

        static DocumentPath of(String text) {
            return new DocumentPath(STEP.matcher(text).results().toList());
        }

        /** The value, or the place that it would have in the innermost one around that is there. */
        Cursor from(Cursor root) {
            Cursor found = root;
            boolean there = true;
            for (MatchResult step : steps) {
                Optional<Cursor> next = there ? below(found, step) : Optional.empty();
                there = next.isPresent();
                Cursor around = found;
                found = next.orElseGet(() -> step.group(2) == null
                        ? around.at(step.group(), around.node())
                        : around.child(step.group(), around.node()));
            }
            return found;
        }

        private static Optional<Cursor> below(Cursor around, MatchResult step) {
            String name = step.group(2);
            return name == null
                    ? element(around, step.group(1))
                    : value(around.node(), name).map(value -> around.child(name, value));
        }

        private static Optional<Cursor> element(Cursor list, String numberOrName) {
            if (!(list.node() instanceof SequenceNode sequence)) {
                return Optional.empty();
            }
            List<Node> elements = sequence.getValue();
            return IntStream.range(0, elements.size())
                    .filter(i -> numberOrName.equals(String.valueOf(i))
                            || value(elements.get(i), NAME)
                                    .filter(name -> isText(name, numberOrName))
                                    .isPresent())
                    .mapToObj(i -> list.at("[" + i + "]", elements.get(i)))
                    .findFirst();
        }

        private static Optional<Node> value(Node mapping, String key) {
            return mapping instanceof MappingNode entries
                    ? entries.getValue().stream()
                            .filter(entry -> isText(entry.getKeyNode(), key))
                            .map(entry -> entry.getValueNode())
                            .findFirst()
                    : Optional.empty();
        }

        private static boolean isText(Node node, String text) {
            return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
        }
    }
}
