package io.evenkeel.cel;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All functions: operators, conversions, lists, sets and optionals here, the rest in files of their own. */
final class Library {
    /** Types that an expression may name. */
    static final Map<String, CelType> TYPES = new HashMap<>();

    static final Set<String> CONVERSIONS =
            Set.of("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint");

    /** Functions that read a text, which mostly is a constant. */
    static final Set<String> PARSERS = Set.of("quantity", "semver", "ip", "cidr", "url");

    /** Functions with a regular expression as their second argument. */
    static final Set<String> REGULAR = Set.of("matches", "find", "findAll");

    /** The price of most calls. */
    static final Function.Price ONE = (_, _) -> 1;

    private static final Map<String, List<Function>> FUNCTIONS = new HashMap<>();
    private static final double TRAVERSAL = 0.1;
    private static final double PATTERN = 0.25;
    private static final int MOST_INCLUDED = 48;

    static {
        for (CelType type : List.of(
                CelType.BOOL,
                CelType.INT,
                CelType.UINT,
                CelType.DOUBLE,
                CelType.STRING,
                CelType.BYTES,
                CelType.NULL,
                CelType.TYPE,
                CelType.LIST,
                CelType.MAP,
                CelType.OPTIONAL,
                CelType.QUANTITY,
                CelType.SEMVER,
                CelType.IP,
                CelType.CIDR,
                CelType.URL,
                CelType.FORMAT)) {
            TYPES.put(type.name(), type);
        }
        operators();
        conversions();
        lists();
        optionals();
        Strings.declare();
        CelQuantity.declare();
        CelSemver.declare();
        Network.declare();
        Formats.declare();
    }

    private Library() {}

    static boolean has(String name) {
        return FUNCTIONS.containsKey(name);
    }

    static List<Function> forms(String name) {
        return FUNCTIONS.getOrDefault(name, List.of());
    }

    /** Declares a form as {@code name(types) result}; a dot before the name makes it a member of the first type. */
    static void define(String form, Function.@Nullable Price price, Function.Body body) {
        int open = form.indexOf('(');
        int close = form.lastIndexOf(") ");
        boolean member = form.startsWith(".");
        String name = form.substring(member ? 1 : 0, open);
        FUNCTIONS
                .computeIfAbsent(name, _ -> new ArrayList<>())
                .add(new Function(
                        name,
                        member,
                        CelType.split(form.substring(open + 1, close)).stream()
                                .map(CelType::parse)
                                .toList(),
                        CelType.parse(form.substring(close + 2)),
                        price,
                        body));
    }

    static long traversal(long size) {
        return traversal((double) size);
    }

    static long traversal(double size) {
        return (long) Math.ceil(size * TRAVERSAL);
    }

    /** The price of reading the first argument through so many times. */
    static Function.Price reading(int times) {
        return (a, _) -> traversal((double) Values.size(a) * times);
    }

    static Function.Price matching() {
        return (a, b) -> traversal(1.0 + Values.size(a)) * (long) Math.ceil(Values.size(b) * PATTERN);
    }

    private static Function.Price smaller() {
        return (a, b) -> traversal(Math.min(Values.size(a), Values.size(b)));
    }

    // ---- operators

    private static void operators() {
        Function.Price equality = (a, b) -> a instanceof CelQuantity
                        || a instanceof CelSemver
                        || a instanceof Network.Ip
                        || a instanceof Network.Cidr
                        || a instanceof Network.Url
                        || a instanceof Formats.Format
                ? 1
                : traversal(Math.min(Values.size(a), Values.size(b)));
        define("_==_(A,A) bool", equality, (f, a, b, _, _) -> Values.equal(f, a, b));
        define("_!=_(A,A) bool", smaller(), (f, a, b, _, _) -> !Values.equal(f, a, b));
        define("!_(bool) bool", ONE, (_, a, _, _, _) -> !(Boolean) a);
        define("-_(int) int", ONE, (_, a, _, _, _) -> whole(a, a, (x, _) -> Math.negateExact(x)));
        define("-_(double) double", ONE, (_, a, _, _, _) -> -(Double) a);
        for (String order : List.of("<", "<=", ">", ">=")) {
            for (String type : List.of("bool", "int", "uint", "double", "string", "bytes")) {
                boolean sized = type.equals("string") || type.equals("bytes");
                compare(order, type, type, sized ? smaller() : ONE);
            }
            for (String types :
                    List.of("int,double", "double,int", "int,uint", "uint,int", "uint,double", "double,uint")) {
                String[] two = types.split(",", -1);
                compare(order, two[0], two[1], ONE);
            }
        }
        Function.Price sum = (a, b) -> traversal((double) Values.size(a) + Values.size(b));
        define("_+_(int,int) int", ONE, (_, a, b, _, _) -> whole(a, b, Math::addExact));
        define("_-_(int,int) int", ONE, (_, a, b, _, _) -> whole(a, b, Math::subtractExact));
        define("_*_(int,int) int", ONE, (_, a, b, _, _) -> whole(a, b, Math::multiplyExact));
        define("_/_(int,int) int", ONE, (_, a, b, _, _) -> whole(a, nonZero(b, "division"), Math::divideExact));
        define(
                "_%_(int,int) int",
                ONE, (_, a, b, _, _) -> {
                    long divisor = (Long) nonZero(b, "modulus");
                    if ((Long) a == Long.MIN_VALUE && divisor == -1) {
                        throw new CelProblem("integer overflow");
                    }
                    return (Long) a % divisor;
                });
        define("_+_(uint,uint) uint", ONE, (_, a, b, _, _) -> {
            long result = bits(a) + bits(b);
            return unsigned(result, Long.compareUnsigned(result, bits(a)) >= 0);
        });
        define(
                "_-_(uint,uint) uint",
                ONE,
                (_, a, b, _, _) -> unsigned(bits(a) - bits(b), Long.compareUnsigned(bits(a), bits(b)) >= 0));
        define(
                "_*_(uint,uint) uint",
                ONE,
                (_, a, b, _, _) -> unsigned(bits(a) * bits(b), Math.unsignedMultiplyHigh(bits(a), bits(b)) == 0));
        define(
                "_/_(uint,uint) uint",
                ONE,
                (_, a, b, _, _) -> new CelUint(Long.divideUnsigned(bits(a), bits(nonZero(b, "division")))));
        define(
                "_%_(uint,uint) uint",
                ONE, (_, a, b, _, _) -> new CelUint(Long.remainderUnsigned(bits(a), bits(nonZero(b, "modulus")))));
        define("_+_(double,double) double", ONE, (_, a, b, _, _) -> (Double) a + (Double) b);
        define("_-_(double,double) double", ONE, (_, a, b, _, _) -> (Double) a - (Double) b);
        define("_*_(double,double) double", ONE, (_, a, b, _, _) -> (Double) a * (Double) b);
        define("_/_(double,double) double", ONE, (_, a, b, _, _) -> (Double) a / (Double) b);
        define("_+_(string,string) string", sum, (f, a, b, _, _) -> {
            f.work((long) ((String) a).length() + ((String) b).length());
            return (String) a + b;
        });
        define("_+_(bytes,bytes) bytes", sum, (f, a, b, _, _) -> {
            byte[] first = (byte[]) a;
            byte[] second = (byte[]) b;
            f.work((long) first.length + second.length);
            byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
            System.arraycopy(second, 0, both, first.length, second.length);
            return both;
        });
        define("_+_(list(A),list(A)) list(A)", ONE, (f, a, b, _, _) -> Values.joined(f, (List<?>) a, (List<?>) b));
        define("@in(A,list(A)) bool", (_, b) -> Values.size(b), (f, a, b, _, _) -> contains(f, (List<?>) b, a));
        define("@in(A,map(A,B)) bool", ONE, (_, a, b, _, _) -> {
            return Values.contains((Map<?, ?>) b, Values.key(a));
        });
    }

    private static void compare(String order, String first, String second, Function.Price price) {
        boolean less = order.startsWith("<");
        boolean orSame = order.length() == 2;
        define("_" + order + "_(" + first + "," + second + ") bool", price, (_, a, b, _, _) -> {
            Integer compared = Values.compare(a, b);
            return compared != null && (compared == 0 ? orSame : compared < 0 == less);
        });
    }

    private interface Whole {
        long of(long a, long b);
    }

    private static Long whole(Object a, Object b, Whole operation) {
        try {
            return operation.of((Long) a, (Long) b);
        } catch (ArithmeticException _) {
            throw new CelProblem("integer overflow");
        }
    }

    private static Object nonZero(Object value, String operation) {
        if (value.equals(0L) || (value instanceof CelUint uint && uint.bits() == 0)) {
            throw new CelProblem(operation + " by zero");
        }
        return value;
    }

    private static long bits(Object value) {
        return ((CelUint) value).bits();
    }

    private static CelUint unsigned(long bits, boolean fits) {
        if (!fits) {
            throw new CelProblem("unsigned integer overflow");
        }
        return new CelUint(bits);
    }

    static boolean contains(Frame frame, List<?> list, Object value) {
        for (Object element : list) {
            if (Values.equal(frame, element, value)) {
                return true;
            }
        }
        return false;
    }

    // ---- conversions

    private static void conversions() {
        define("size(string) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define("size(bytes) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define("size(list(A)) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define("size(map(A,B)) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define(".size(string) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define(".size(bytes) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define(".size(list(A)) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define(".size(map(A,B)) int", ONE, (_, a, _, _, _) -> Values.size(a));
        define("type(A) type", ONE, (_, a, _, _, _) -> Values.type(a));
        define("dyn(A) dyn", ONE, (_, a, _, _, _) -> a);
        for (String same : List.of("bool", "int", "uint", "double", "string", "bytes")) {
            define(same + "(" + same + ") " + same, ONE, (_, a, _, _, _) -> a);
        }
        define("int(uint) int", ONE, (_, a, _, _, _) -> {
            if (bits(a) < 0) {
                throw new CelProblem("integer overflow");
            }
            return bits(a);
        });
        define("int(double) int", ONE, (_, a, _, _, _) -> {
            double x = (Double) a;
            if (!(x > -0x1p63 && x < 0x1p63)) {
                throw new CelProblem("integer overflow");
            }
            return (long) x;
        });
        define("int(string) int", ONE, (_, a, _, _, _) -> {
            try {
                return Long.parseLong(ascii((String) a));
            } catch (NumberFormatException _) {
                throw conversion("string", "int");
            }
        });
        define("uint(int) uint", ONE, (_, a, _, _, _) -> unsigned((Long) a, (Long) a >= 0));
        define("uint(double) uint", ONE, (_, a, _, _, _) -> {
            double x = (Double) a;
            return unsigned(Values.unsigned(x), x >= 0 && x < 0x1p64);
        });
        define("uint(string) uint", ONE, (_, a, _, _, _) -> {
            String text = ascii((String) a);
            try {
                return new CelUint(Long.parseUnsignedLong(text.startsWith("+") ? "x" : text));
            } catch (NumberFormatException _) {
                throw conversion("string", "uint");
            }
        });
        define("double(int) double", ONE, (_, a, _, _, _) -> (double) (Long) a);
        define("double(uint) double", ONE, (_, a, _, _, _) -> Values.number((CelUint) a));
        define("double(string) double", ONE, (_, a, _, _, _) -> number((String) a));
        define("bool(string) bool", ONE, (_, a, _, _, _) -> {
            return switch ((String) a) {
                case "1", "t", "T", "true", "TRUE", "True" -> true;
                case "0", "f", "F", "false", "FALSE", "False" -> false;
                default -> throw conversion("string", "bool");
            };
        });
        for (String type : List.of("bool", "int", "uint", "double")) {
            define("string(" + type + ") string", ONE, (_, a, _, _, _) -> Values.text(a));
        }
        define("string(bytes) string", reading(1), (f, a, _, _, _) -> {
            f.work(((byte[]) a).length);
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap((byte[]) a))
                        .toString();
            } catch (CharacterCodingException _) {
                throw new CelProblem("invalid UTF-8 in bytes, cannot convert to string");
            }
        });
        define("bytes(string) bytes", reading(1), (f, a, _, _, _) -> {
            f.work(((String) a).length());
            return ((String) a).getBytes(StandardCharsets.UTF_8);
        });
    }

    private static String ascii(String text) {
        return text.chars().allMatch(c -> c < 128) ? text : "x";
    }

    private static Double number(String text) {
        String name = text.startsWith("+") || text.startsWith("-") ? text.substring(1) : text;
        double sign = text.startsWith("-") ? -1 : 1;
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "inf", "infinity" -> sign * Double.POSITIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> {
                boolean digits = !name.isEmpty()
                        && name.chars().allMatch(c -> (c >= '0' && c <= '9') || ".eE+-".indexOf(c) >= 0);
                try {
                    double value = digits ? Double.parseDouble(name) : Double.POSITIVE_INFINITY;
                    if (!Double.isInfinite(value)) {
                        yield sign * value;
                    }
                } catch (NumberFormatException _) {
                    // as what is no number at all
                }
                throw conversion("string", "double");
            }
        };
    }

    static CelProblem conversion(String from, String to) {
        return new CelProblem("type conversion error from '" + from + "' to '" + to + "'");
    }

    /** The name of a value's type in the reference's messages. */
    static String goType(Object value) {
        String name = Values.type(value).name();
        int dot = name.indexOf('.');
        return dot < 0
                ? "types." + Character.toUpperCase(name.charAt(0)) + name.substring(1)
                : "cel." + name.substring(dot + 1);
    }

    // ---- lists and sets

    /** Declares a form that reads its first argument through, with all that is in it. */
    static void traversing(String form, Function.Body body) {
        define(form, null, (frame, a, b, c, d) -> {
            frame.pay(traversed(frame, a));
            return body.call(frame, a, b, c, d);
        });
    }

    private static long traversed(Frame frame, Object value) {
        return switch (value) {
            case String text -> {
                frame.work(text.length() >> 4);
                yield (long) (Values.octets(text) * TRAVERSAL);
            }
            case byte[] bytes -> (long) (bytes.length * TRAVERSAL);
            case List<?> list -> {
                long cost = 0;
                frame.work(list.size());
                for (Object element : list) {
                    cost += traversed(frame, element);
                }
                yield cost;
            }
            case Map<?, ?> map -> {
                long cost = 0;
                frame.work(map.size());
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    cost += traversed(frame, entry.getKey()) + traversed(frame, entry.getValue());
                }
                yield cost;
            }
            default -> 1;
        };
    }

    private static void lists() {
        for (String type : List.of("int", "uint", "double", "bool", "string", "bytes")) {
            traversing(".isSorted(list(" + type + ")) bool", (f, a, _, _, _) -> isSorted(f, (List<?>) a));
            traversing(".min(list(" + type + ")) " + type, (f, a, _, _, _) -> extreme(f, (List<?>) a, "min", -1));
            traversing(".max(list(" + type + ")) " + type, (f, a, _, _, _) -> extreme(f, (List<?>) a, "max", 1));
            define(
                    ".sort(list(" + type + ")) list(" + type + ")",
                    comparing(),
                    (f, a, _, _, _) -> sort(f, (List<?>) a, (List<?>) a));
        }
        for (String type : List.of("int", "uint", "double")) {
            traversing(".sum(list(" + type + ")) " + type, (f, a, _, _, _) -> sum(f, (List<?>) a, type));
        }
        traversing(".indexOf(list(A),A) int", (f, a, b, _, _) -> {
            List<?> list = (List<?>) a;
            for (int i = 0; i < list.size(); i++) {
                if (Values.equal(f, list.get(i), b)) {
                    return (long) i;
                }
            }
            return -1L;
        });
        traversing(".lastIndexOf(list(A),A) int", (f, a, b, _, _) -> {
            List<?> list = (List<?>) a;
            for (int i = list.size() - 1; i >= 0; i--) {
                if (Values.equal(f, list.get(i), b)) {
                    return (long) i;
                }
            }
            return -1L;
        });
        traversing(".includes(dyn,dyn) bool", (f, a, b, _, _) -> {
            if (!(a instanceof List<?> list)) {
                return Values.equal(f, a, b);
            }
            boolean found = contains(f, list.subList(0, Math.min(list.size(), MOST_INCLUDED)), b);
            if (!found && list.size() > MOST_INCLUDED) {
                throw new CelProblem(
                        "'includes' function cannot be applied to lists longer than " + MOST_INCLUDED + " values");
            }
            return found;
        });
        define(".slice(list(A),int,int) list(A)", null, (f, a, b, c, _) -> slice(f, (List<?>) a, (Long) b, (Long) c));
        define(
                ".flatten(list(dyn)) list(dyn)",
                (a, _) -> Values.size(a) + 11,
                (f, a, _, _, _) -> flatten(f, (List<?>) a, 1));
        define(
                ".flatten(list(dyn),int) list(dyn)",
                (a, b) -> (long) Math.min(1e15, (double) Values.size(a) * (Long) b) + 11,
                (f, a, b, _, _) -> {
                    if ((Long) b < 0) {
                        throw new CelProblem("level must be non-negative");
                    }
                    return flatten(f, (List<?>) a, (Long) b);
                });
        define("lists.range(int) list(int)", null, (f, a, _, _, _) -> {
            long size = Math.max(0, (Long) a);
            f.pay(size + 11);
            f.work(size);
            List<Object> list = new ArrayList<>((int) size);
            for (long i = 0; i < size; i++) {
                list.add(i);
            }
            return list;
        });
        Function.Price reversing = (a, _) -> Values.size(a) + 11;
        define(".reverse(list(A)) list(A)", reversing, (f, a, _, _, _) -> {
            f.work(((List<?>) a).size());
            return new ArrayList<Object>(((List<?>) a).reversed());
        });
        define(".distinct(list(A)) list(A)", comparing(), (f, a, _, _, _) -> {
            List<Object> list = new ArrayList<>();
            for (Object element : (List<?>) a) {
                if (!contains(f, list, element)) {
                    list.add(element);
                }
            }
            return list;
        });
        Function.Price sets = (a, b) -> 1 + Values.size(a) * Values.size(b);
        define("sets.contains(list(A),list(A)) bool", sets, (f, a, b, _, _) -> containsAll(f, a, b));
        define(
                "sets.equivalent(list(A),list(A)) bool",
                (a, b) -> 1 + 2 * Values.size(a) * Values.size(b),
                (f, a, b, _, _) -> containsAll(f, a, b) && containsAll(f, b, a));
        define("sets.intersects(list(A),list(A)) bool", sets, (f, a, b, _, _) -> {
            for (Object element : (List<?>) b) {
                if (contains(f, (List<?>) a, element)) {
                    return true;
                }
            }
            return false;
        });
    }

    private static Function.Price comparing() {
        return (a, _) -> {
            List<?> list = (List<?>) a;
            double factor = list.isEmpty() || !(list.getFirst() instanceof String || list.getFirst() instanceof byte[])
                    ? 2
                    : 2 + TRAVERSAL;
            return (long) ((double) list.size() * list.size() * factor) + 11;
        };
    }

    private static boolean containsAll(Frame frame, Object all, Object some) {
        for (Object element : (List<?>) some) {
            if (!contains(frame, (List<?>) all, element)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSorted(Frame frame, List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            frame.work(1);
            Integer order = Values.compare(list.get(i - 1), list.get(i));
            if (order != null && order > 0) {
                return false;
            }
        }
        return true;
    }

    private static Object extreme(Frame frame, List<?> list, String name, int sign) {
        if (list.isEmpty()) {
            throw new CelProblem(name + " called on empty list");
        }
        Object best = list.getFirst();
        for (Object element : list) {
            frame.work(1);
            Integer order = Values.compare(element, best);
            if (order != null && order * sign > 0) {
                best = element;
            }
        }
        return best;
    }

    private static Object sum(Frame frame, List<?> list, String type) {
        Function plus = forms("_+_").stream()
                .filter(form -> form.result().name().equals(type))
                .findFirst()
                .orElseThrow();
        Object sum = switch (type) {
            case "int" -> 0L;
            case "uint" -> new CelUint(0);
            default -> 0.0;
        };
        for (Object element : list) {
            frame.work(1);
            if (!plus.holds(2, sum, element, Values.NULL, Values.NULL)) {
                throw CelProblem.noSuchOverload();
            }
            sum = plus.body().call(frame, sum, element, Values.NULL, Values.NULL);
        }
        return sum;
    }

    private static List<Object> slice(Frame frame, List<?> list, long start, long end) {
        String call = "cannot slice(" + start + ", " + end + "), ";
        if (start < 0 || end < 0) {
            throw new CelProblem(call + "negative indexes not supported");
        }
        if (start > end) {
            throw new CelProblem(call + "start index must be less than or equal to end index");
        }
        if (end > list.size()) {
            throw new CelProblem(call + "list is length " + list.size());
        }
        frame.pay(end - start + 11);
        frame.work(end - start);
        return new ArrayList<>(list.subList((int) start, (int) end));
    }

    private static List<Object> flatten(Frame frame, List<?> list, long levels) {
        List<Object> flat = new ArrayList<>();
        flatten(frame, list, levels, flat);
        return flat;
    }

    private static void flatten(Frame frame, List<?> list, long levels, List<Object> flat) {
        for (Object element : list) {
            frame.work(1);
            if (levels > 0 && element instanceof List<?> inner) {
                flatten(frame, inner, levels - 1, flat);
            } else {
                flat.add(element);
            }
        }
    }

    /** The list in the order of its keys. */
    static List<Object> sorted(Frame frame, List<?> list, List<?> keys) {
        frame.pay(comparing().of(keys, Values.NULL));
        return sort(frame, list, keys);
    }

    private static List<Object> sort(Frame frame, List<?> list, List<?> keys) {
        frame.work((long) list.size() * 20);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            CelType type = Values.type(keys.get(i));
            if (!type.equals(Values.type(keys.getFirst()))) {
                throw new CelProblem("list elements must have the same type");
            }
            if (!Values.isNumber(keys.get(i))
                    && !(keys.get(i) instanceof String)
                    && !(keys.get(i) instanceof Boolean)
                    && !(keys.get(i) instanceof byte[])) {
                throw new CelProblem("list elements must be comparable");
            }
            order.add(i);
        }
        order.sort(Comparator.comparing(keys::get, Library::total));
        List<Object> sorted = new ArrayList<>(order.size());
        order.forEach(index -> sorted.add(list.get(index)));
        return sorted;
    }

    private static int total(Object a, Object b) {
        if (a instanceof Double x && b instanceof Double y) {
            return x.equals(y) ? 0 : Double.compare(x, y);
        }
        Integer order = Values.compare(a, b);
        return order == null ? 0 : order;
    }

    // ---- optionals

    private static void optionals() {
        define("optional.of(A) optional(A)", ONE, (_, a, _, _, _) -> Optional.of(a));
        define("optional.none() optional(A)", ONE, (_, _, _, _, _) -> Optional.empty());
        define("optional.ofNonZeroValue(A) optional(A)", ONE, (_, a, _, _, _) -> {
            return isZero(a) ? Optional.empty() : Optional.of(a);
        });
        define(".hasValue(optional(A)) bool", ONE, (_, a, _, _, _) -> ((Optional<?>) a).isPresent());
        define(".value(optional(A)) A", ONE, (_, a, _, _, _) -> {
            Optional<?> optional = (Optional<?>) a;
            if (optional.isEmpty()) {
                throw new CelProblem("optional.none() dereference");
            }
            return optional.get();
        });
        define("optional.unwrap(list(optional(A))) list(A)", ONE, (f, a, _, _, _) -> unwrap(f, (List<?>) a));
        define(".unwrapOpt(list(optional(A))) list(A)", ONE, (f, a, _, _, _) -> unwrap(f, (List<?>) a));
    }

    private static List<Object> unwrap(Frame frame, List<?> list) {
        frame.work(list.size());
        List<Object> present = new ArrayList<>();
        for (Object element : list) {
            if (!(element instanceof Optional<?> optional)) {
                throw CelProblem.noSuchOverload();
            }
            optional.ifPresent(present::add);
        }
        return present;
    }

    private static boolean isZero(Object value) {
        return switch (value) {
            case Boolean truth -> !truth;
            case Long number -> number == 0;
            case Double number -> number == 0;
            case CelUint number -> number.bits() == 0;
            case String text -> text.isEmpty();
            case byte[] bytes -> bytes.length == 0;
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            case Optional<?> optional -> optional.isEmpty();
            default -> value.equals(Values.NULL);
        };
    }
}
