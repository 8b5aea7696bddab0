package io.evenkeel.cel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The type of a variable or of an expression.
 *
 * <p>In Java a value is a {@link Boolean}, {@link Long}, {@link CelUint}, {@link Double}, {@link String}, an array of
 * bytes, a {@link List}, a {@link Map}, an {@link java.util.Optional}, a {@link CelQuantity}, a {@link CelSemver} or a
 * {@code CelType}. An object is a map of its fields.
 */
public final class CelType {
    public static final CelType DYN = new CelType("dyn");
    public static final CelType BOOL = new CelType("bool");
    public static final CelType INT = new CelType("int");
    public static final CelType UINT = new CelType("uint");
    public static final CelType DOUBLE = new CelType("double");
    public static final CelType STRING = new CelType("string");
    public static final CelType BYTES = new CelType("bytes");
    public static final CelType QUANTITY = new CelType("kubernetes.Quantity");
    public static final CelType SEMVER = new CelType("kubernetes.Semver");

    static final CelType NULL = new CelType("null_type");
    static final CelType TYPE = new CelType("type");
    static final CelType ERROR = new CelType("!error!");
    static final CelType LIST = list(DYN);
    static final CelType MAP = map(DYN, DYN);
    static final CelType OPTIONAL = new CelType("optional_type", List.of(DYN), Map.of());
    static final CelType IP = new CelType("net.IP");
    static final CelType CIDR = new CelType("net.CIDR");
    static final CelType URL = new CelType("kubernetes.URL");
    static final CelType FORMAT = new CelType("kubernetes.NamedFormat");

    /** A type that is deeper is dyn within: checks walk types. */
    private static final int DEEPEST = 20;

    private final String name;
    private final int depth;
    private final List<CelType> parameters;
    private final Map<String, CelType> fields;

    private CelType(String name, List<CelType> parameters, Map<String, CelType> fields) {
        this.name = name;
        this.depth = 1 + parameters.stream().mapToInt(one -> one.depth).max().orElse(0);
        this.parameters = depth > DEEPEST ? parameters.stream().map(_ -> DYN).toList() : parameters;
        this.fields = fields;
    }

    private CelType(String name) {
        this(name, List.of(), Map.of());
    }

    public static CelType list(CelType element) {
        return new CelType("list", List.of(element), Map.of());
    }

    public static CelType map(CelType key, CelType value) {
        return new CelType("map", List.of(key, value), Map.of());
    }

    /** A type with fields that the check knows by name. */
    public static CelType object(String name, Map<String, CelType> fields) {
        return new CelType(name, List.of(), Map.copyOf(fields));
    }

    static CelType optional(CelType value) {
        return new CelType("optional_type", List.of(value), Map.of());
    }

    static CelType typeOf(CelType value) {
        return new CelType("type", List.of(value), Map.of());
    }

    /** Reads a type of a function's declaration; a name of one capital letter stands for any type. */
    static CelType parse(String text) {
        int open = text.indexOf('(');
        if (open < 0) {
            for (CelType type : List.of(
                    DYN, BOOL, INT, UINT, DOUBLE, STRING, BYTES, QUANTITY, SEMVER, NULL, TYPE, IP, CIDR, URL, FORMAT)) {
                if (type.name.equals(text)) {
                    return type;
                }
            }
            if (text.length() == 1) {
                return new CelType(text);
            }
            throw new IllegalArgumentException(text);
        }
        String name = text.substring(0, open);
        return new CelType(
                name.equals("optional") ? "optional_type" : name,
                split(text.substring(open + 1, text.length() - 1)).stream()
                        .map(CelType::parse)
                        .toList(),
                Map.of());
    }

    static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int at = 0; at <= text.length(); at++) {
            char c = at == text.length() ? ',' : text.charAt(at);
            if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == ',' && depth == 0) {
                if (at > start) {
                    parts.add(text.substring(start, at).strip());
                }
                start = at + 1;
            }
        }
        return parts;
    }

    String name() {
        return name;
    }

    CelType parameter(int index) {
        return index < parameters.size() ? parameters.get(index) : DYN;
    }

    @Nullable
    CelType field(String field) {
        return fields.get(field);
    }

    boolean isObject() {
        return !fields.isEmpty();
    }

    boolean is(CelType other) {
        return name.equals(other.name);
    }

    /** The type of an optional's value; any other type as it is. */
    CelType unwrapped() {
        return is(OPTIONAL) ? parameter(0) : this;
    }

    @SuppressWarnings("ReferenceEquality") // the two are themselves
    boolean isDyn() {
        return this == DYN || this == ERROR;
    }

    private boolean isVariable() {
        return name.length() == 1;
    }

    /** Whether a value of the other type may stand where this one is asked for; variables are bound as it goes. */
    boolean accepts(CelType other, Map<String, CelType> bound) {
        if (isVariable()) {
            CelType known = bound.get(name);
            if (known == null || known.isDyn()) {
                bound.put(name, other);
                return true;
            }
            if (known.accepts(other, bound)) {
                return true;
            }
            if (other.accepts(known, bound)) {
                bound.put(name, other);
                return true;
            }
            return false;
        }
        if (isDyn() || other.isDyn()) {
            return true;
        }
        if (other.is(NULL) && (is(NULL) || is(QUANTITY) || is(SEMVER) || isObject() || is(OPTIONAL))) {
            return true;
        }
        if (!is(other)) {
            return false;
        }
        if (is(TYPE)) {
            return true;
        }
        for (int i = 0; i < parameters.size() && i < other.parameters.size(); i++) {
            if (!parameters.get(i).accepts(other.parameters.get(i), bound)) {
                return false;
            }
        }
        return true;
    }

    boolean accepts(CelType other) {
        return accepts(other, new HashMap<>());
    }

    CelType with(Map<String, CelType> bound) {
        if (isVariable()) {
            return bound.getOrDefault(name, DYN);
        }
        return parameters.isEmpty()
                ? this
                : new CelType(
                        name, parameters.stream().map(one -> one.with(bound)).toList(), fields);
    }

    /** The wider of two types; dyn where neither takes the other. */
    CelType join(CelType other) {
        return accepts(other) && !other.isDyn() ? this : other.accepts(this) && !isDyn() ? other : DYN;
    }

    /** Whether a value is of this type, as far as can be seen without looking into it. */
    boolean holds(Object value) {
        return switch (name) {
            case "bool" -> value instanceof Boolean;
            case "int" -> value instanceof Long;
            case "uint" -> value instanceof CelUint;
            case "double" -> value instanceof Double;
            case "string" -> value instanceof String;
            case "bytes" -> value instanceof byte[];
            case "list" -> value instanceof List;
            case "map" -> value instanceof Map;
            case "optional_type" -> value instanceof java.util.Optional;
            case "type" -> value instanceof CelType;
            case "null_type" -> value.equals(Values.NULL);
            case "kubernetes.Quantity" -> value instanceof CelQuantity;
            case "kubernetes.Semver" -> value instanceof CelSemver;
            case "net.IP" -> value instanceof Network.Ip;
            case "net.CIDR" -> value instanceof Network.Cidr;
            case "kubernetes.URL" -> value instanceof Network.Url;
            case "kubernetes.NamedFormat" -> value instanceof Formats.Format;
            default -> true;
        };
    }

    /** As a value: types are told apart by their names alone. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CelType type && type.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return parameters.isEmpty()
                ? name
                : name + parameters.stream().map(CelType::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}
