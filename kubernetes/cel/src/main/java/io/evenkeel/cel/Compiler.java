package io.evenkeel.cel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the types of an expression and makes closures of it, in one walk; evaluation walks no tree. */
final class Compiler {
    private static final Set<CelType> KEYS = Set.of(CelType.BOOL, CelType.INT, CelType.UINT, CelType.STRING);
    private static final long LIST_COST = 10;
    private static final long MAP_COST = 30;

    /** Code that evaluates an expression. */
    interface Code {
        Object run(Frame frame);
    }

    /**
     * @param constant its value, where that is known now: the reference charges nothing for it
     * @param path whether fields and keys are charged as steps of one path
     */
    record Typed(CelType type, Code code, @Nullable Object constant, Path path) {
        Typed(CelType type, Code code) {
            this(type, code, null, Path.NONE);
        }

        boolean isPath() {
            return path != Path.NONE;
        }
    }

    /** The start of a path of fields and keys; a choice charges nothing for the variable at the start of a branch. */
    enum Path {
        NONE,
        VARIABLE,
        CHOICE;

        Path onward() {
            return this == CHOICE ? CHOICE : VARIABLE;
        }
    }

    private record Local(CelType type, int slot) {}

    private final Problems problems;
    private final boolean checked;
    private final boolean mixed;
    private final Map<String, Local> variables = new HashMap<>();
    private final Map<String, Local> names = new HashMap<>();
    private int used;
    private int slots;

    Compiler(String source, Map<String, CelType> declared, CelProgram.Language language) {
        this.problems = new Problems(source);
        this.checked = language.checked();
        this.mixed = language.mixed();
        for (Map.Entry<String, CelType> variable : declared.entrySet()) {
            variables.put(variable.getKey(), new Local(checked ? variable.getValue() : CelType.DYN, used++));
        }
        names.putAll(variables);
        slots = used;
    }

    int slots() {
        return slots;
    }

    Typed compile(Ast ast) {
        Typed typed = visit(ast);
        if (problems.any()) {
            throw problems.all();
        }
        return typed;
    }

    private Typed visit(Ast ast) {
        Typed typed = typed(ast);
        return checked ? typed : new Typed(CelType.DYN, typed.code, typed.constant, typed.path);
    }

    private Typed typed(Ast ast) {
        return switch (ast) {
            case Ast.Constant constant -> constant(constant.value());
            case Ast.Name name -> name(name);
            case Ast.Select select -> select(select);
            case Ast.Has has -> has(has);
            case Ast.Call call -> call(call);
            case Ast.Logic logic -> logic(logic);
            case Ast.Choice choice -> choice(choice);
            case Ast.Elements elements -> elements(elements);
            case Ast.Entries entries -> entries(entries);
            case Ast.Message message -> undeclared(message.at(), message.type());
            case Ast.Fold fold -> fold(fold);
            case Ast.Bind bind -> bind(bind);
            case Ast.OptionalMap map -> optionalMap(map);
            case Ast.SortBy sort -> sortBy(sort);
        };
    }

    private static Typed constant(Object value) {
        return new Typed(Values.type(value), _ -> value, value, Path.NONE);
    }

    private Typed problem(int at, String message) {
        problems.add(at, message);
        return new Typed(CelType.ERROR, _ -> Values.NULL);
    }

    private Typed undeclared(int at, String name) {
        String text = "undeclared reference to '" + name + "' (in container '')";
        if (checked) {
            return problem(at, text);
        }
        return new Typed(CelType.DYN, _ -> {
            throw new CelProblem("no such attribute(s): " + name);
        });
    }

    // ---- names and fields

    private Typed name(Ast.Name ast) {
        Typed named = named(ast.name());
        return named == null ? undeclared(ast.at(), ast.name()) : named;
    }

    private @Nullable Typed named(String written) {
        boolean outermost = written.startsWith(".");
        String name = outermost ? written.substring(1) : written;
        Local local = (outermost ? variables : names).get(name);
        if (local != null) {
            int slot = local.slot;
            return new Typed(
                    local.type,
                    frame -> {
                        frame.pay(1);
                        return frame.slots[slot];
                    },
                    null,
                    Path.VARIABLE);
        }
        CelType type = Library.TYPES.get(name);
        return type == null ? null : new Typed(CelType.typeOf(type), _ -> type, type, Path.NONE);
    }

    private Typed select(Ast.Select ast) {
        String name = Parser.qualified(ast);
        if (name != null && !isLocal(name)) {
            Typed type = named(name);
            if (type != null) {
                return type;
            }
        }
        Typed operand = visit(ast.operand());
        return ast.optional() ? optionalKey(ast.at(), operand, constant(ast.field())) : field(ast, operand);
    }

    private boolean isLocal(String qualified) {
        int dot = qualified.indexOf('.', 1);
        return names.containsKey(dot < 0 ? qualified : qualified.substring(0, dot));
    }

    private Typed field(Ast.Select ast, Typed operand) {
        String field = ast.field();
        CelType type = fieldType(ast, operand);
        Code of = operand.code;
        long cost = operand.isPath() ? 1 : 2;
        return new Typed(
                type,
                frame -> {
                    Object value = of.run(frame);
                    frame.pay(cost);
                    return value instanceof Optional<?> optional ? inOptional(optional, field) : at(value, field);
                },
                null,
                operand.path.onward());
    }

    private CelType fieldType(Ast.Select ast, Typed operand) {
        CelType type = operand.type.unwrapped();
        CelType found = CelType.DYN;
        if (type.isObject()) {
            CelType field = type.field(ast.field());
            if (field == null) {
                problem(ast.at(), "undefined field '" + ast.field() + "'");
                return CelType.ERROR;
            }
            found = field;
        } else if (type.is(CelType.MAP)) {
            found = type.parameter(1);
        } else if (!type.isDyn()) {
            problem(ast.at(), "type '" + type + "' does not support field selection");
            return CelType.ERROR;
        }
        return operand.type.is(CelType.OPTIONAL) ? CelType.optional(found) : found;
    }

    private Typed has(Ast.Has ast) {
        Typed operand = visit(ast.select().operand());
        fieldType(ast.select(), operand);
        String field = ast.select().field();
        Code of = operand.code;
        long cost = operand.isPath() ? 0 : 1;
        return new Typed(CelType.BOOL, frame -> {
            Object value = of.run(frame);
            frame.pay(cost);
            if (value instanceof Optional<?> optional) {
                if (optional.isEmpty()) {
                    return false;
                }
                value = optional.get();
            }
            if (value instanceof Map<?, ?> map) {
                return Values.find(map, field) != null;
            }
            throw CelProblem.noSuchOverload();
        });
    }

    private static Object at(Object value, Object key) {
        return switch (value) {
            case Map<?, ?> map -> {
                Object found = Values.find(map, Values.key(key));
                if (found == null) {
                    throw CelProblem.noSuchKey(key);
                }
                yield found;
            }
            case List<?> list -> {
                if (!Values.isNumber(key)) {
                    throw key instanceof String
                            ? new CelProblem("unsupported index type 'string' in list")
                            : CelProblem.noSuchOverload();
                }
                if (!(Values.key(key) instanceof Long index)) {
                    throw new CelProblem("unsupported index value " + Values.text(key) + " in list");
                }
                if (index < 0 || index >= list.size()) {
                    throw new CelProblem("index out of bounds: " + index);
                }
                yield list.get(index.intValue());
            }
            default -> throw CelProblem.noSuchOverload();
        };
    }

    private static Optional<?> inOptional(Optional<?> optional, Object key) {
        return optional.isEmpty() ? optional : find(optional.get(), key);
    }

    private static Optional<?> find(Object value, Object key) {
        return switch (value) {
            case Map<?, ?> map -> Optional.ofNullable(Values.find(map, Values.key(key)));
            case List<?> list ->
                Values.key(key) instanceof Long index && index >= 0 && index < list.size()
                        ? Optional.of(list.get(index.intValue()))
                        : Optional.empty();
            default -> throw CelProblem.noSuchOverload();
        };
    }

    private Typed index(Ast.Call ast, Typed operand, Typed key) {
        CelType type = operand.type.unwrapped();
        CelType found = CelType.DYN;
        if (type.is(CelType.MAP) && type.parameter(0).accepts(key.type)) {
            found = type.parameter(1);
        } else if (type.is(CelType.LIST) && (key.type.is(CelType.INT) || key.type.isDyn())) {
            found = type.parameter(0);
        } else if (!type.isDyn()) {
            return mismatch(ast.at(), ast.function(), false, List.of(operand.type, key.type));
        }
        return taken(operand.type.is(CelType.OPTIONAL) ? CelType.optional(found) : found, operand, key, Compiler::at);
    }

    /** The part of an operand that a key names; of an optional one it is optional too. */
    private static Typed taken(CelType type, Typed operand, Typed key, BinaryOperator<Object> part) {
        Code of = operand.code;
        Code by = key.code;
        long cost = (operand.isPath() ? 0L : 1) + (key.isPath() ? 0 : 1);
        return new Typed(
                type,
                frame -> {
                    Object value = of.run(frame);
                    Object at = by.run(frame);
                    frame.pay(cost);
                    return value instanceof Optional<?> maybe ? inOptional(maybe, at) : part.apply(value, at);
                },
                null,
                operand.path.onward());
    }

    private Typed optionalKey(int at, Typed operand, Typed key) {
        CelType type = operand.type.unwrapped();
        CelType found = CelType.DYN;
        if (type.isObject() && key.constant instanceof String field) {
            CelType known = type.field(field);
            if (known == null) {
                return problem(at, "undefined field '" + field + "'");
            }
            found = known;
        } else if (type.is(CelType.MAP)) {
            found = type.parameter(1);
        } else if (type.is(CelType.LIST) && !(key.constant instanceof String)) {
            found = type.parameter(0);
        } else if (!type.isDyn()) {
            return problem(at, "type '" + type + "' does not support field selection");
        }
        return taken(CelType.optional(found), operand, key, Compiler::find);
    }

    // ---- calls

    private Typed call(Ast.Call ast) {
        String name = ast.function();
        Ast target = ast.target();
        if (target != null) {
            String prefix = Parser.qualified(target);
            if (prefix != null && !isLocal(prefix) && Library.has(prefix + "." + name)) {
                return function(ast.at(), prefix + "." + name, false, visit(ast.arguments()));
            }
        }
        List<Typed> arguments = new ArrayList<>();
        if (target != null) {
            arguments.add(visit(target));
        }
        arguments.addAll(visit(ast.arguments()));
        switch (name) {
            case "_[_]" -> {
                return index(ast, arguments.get(0), arguments.get(1));
            }
            case "_[?_]" -> {
                return optionalKey(ast.at(), arguments.get(0), arguments.get(1));
            }
            case "or", "orValue" -> {
                if (target != null && arguments.size() == 2) {
                    return alternative(ast, arguments.get(0), arguments.get(1));
                }
            }
            case "@in" -> {
                if (arguments.get(1).constant instanceof List<?> list) {
                    return member(ast, arguments.get(0), arguments.get(1), list);
                }
            }
            default -> {}
        }
        return function(ast.at(), name.startsWith(".") ? name.substring(1) : name, target != null, arguments);
    }

    private List<Typed> visit(List<Ast> asts) {
        List<Typed> all = new ArrayList<>(asts.size());
        for (Ast ast : asts) {
            all.add(visit(ast));
        }
        return all;
    }

    private Typed function(int at, String name, boolean member, List<Typed> arguments) {
        List<Function> forms = Library.forms(name);
        if (forms.isEmpty()) {
            return undeclared(at, name);
        }
        List<CelType> types = arguments.stream().map(Typed::type).toList();
        List<Function> fitting = new ArrayList<>();
        CelType result = null;
        for (Function form : forms) {
            if (form.member() != member || form.parameters().size() != arguments.size()) {
                continue;
            }
            Map<String, CelType> bound = new HashMap<>();
            boolean fits = true;
            for (int i = 0; fits && i < types.size(); i++) {
                fits = form.parameters().get(i).accepts(types.get(i), bound);
            }
            if (fits) {
                fitting.add(form);
                CelType type = name.equals("type")
                        ? CelType.typeOf(types.getFirst())
                        : form.result().with(bound);
                result = result == null || same(result, type) ? type : CelType.DYN;
            }
        }
        if (result == null) {
            return types.contains(CelType.ERROR)
                    ? new Typed(CelType.ERROR, _ -> Values.NULL)
                    : mismatch(at, name, member, types);
        }
        Code code = code(
                fitting.toArray(Function[]::new),
                arguments.stream().map(Typed::code).toArray(Code[]::new));
        if (Library.REGULAR.contains(name)
                && arguments.size() > 1
                && arguments.get(1).constant instanceof String pattern) {
            try {
                Regex regex = Regex.of(pattern);
                return new Typed(result, frame -> {
                    frame.knows(regex);
                    return code.run(frame);
                });
            } catch (CelProblem problem) {
                return checked ? problem(at, "invalid matches argument") : failing(problem);
            }
        }
        boolean conversion = Library.CONVERSIONS.contains(name);
        if ((conversion || Library.PARSERS.contains(name))
                && arguments.size() == 1
                && arguments.getFirst().constant != null) {
            return parsed(result, code, conversion);
        }
        return new Typed(result, code);
    }

    /** The result of a constant is made once; the reference charges each evaluation for all but conversions. */
    private static Typed parsed(CelType type, Code code, boolean conversion) {
        Frame once = new Frame(0, Long.MAX_VALUE);
        try {
            Object value = code.run(once);
            long cost = once.cost();
            return conversion
                    ? new Typed(type, _ -> value, value, Path.NONE)
                    : new Typed(type, frame -> {
                        frame.pay(cost);
                        return value;
                    });
        } catch (CelProblem _) {
            return new Typed(type, code);
        }
    }

    private static boolean same(CelType a, CelType b) {
        return a.toString().equals(b.toString());
    }

    private static Typed failing(CelProblem problem) {
        return new Typed(CelType.DYN, _ -> {
            throw problem;
        });
    }

    private Typed mismatch(int at, String name, boolean member, List<CelType> types) {
        if (types.contains(CelType.ERROR)) {
            return new Typed(CelType.ERROR, _ -> Values.NULL);
        }
        String signature = member ? types.getFirst() + "." + joined(types.subList(1, types.size())) : joined(types);
        if (!checked) {
            return failing(CelProblem.noSuchOverload());
        }
        return problem(at, "found no matching overload for '" + name + "' applied to '" + signature + "'");
    }

    private static String joined(List<CelType> types) {
        return types.stream().map(CelType::toString).collect(Collectors.joining(", ", "(", ")"));
    }

    private static Code code(Function[] forms, Code[] arguments) {
        int count = arguments.length;
        Code a = count > 0 ? arguments[0] : _ -> Values.NULL;
        Code b = count > 1 ? arguments[1] : _ -> Values.NULL;
        if (forms.length == 1 && count <= 2) {
            Function only = forms[0];
            return frame -> {
                Object first = a.run(frame);
                Object second = b.run(frame);
                if (!only.holds(count, first, second, Values.NULL, Values.NULL)) {
                    throw CelProblem.noSuchOverload();
                }
                return only.call(frame, first, second, Values.NULL, Values.NULL);
            };
        }
        Code c = count > 2 ? arguments[2] : _ -> Values.NULL;
        Code d = count > 3 ? arguments[3] : _ -> Values.NULL;
        return frame -> {
            Object first = a.run(frame);
            Object second = b.run(frame);
            Object third = c.run(frame);
            Object fourth = d.run(frame);
            for (Function form : forms) {
                if (form.holds(count, first, second, third, fourth)) {
                    return form.call(frame, first, second, third, fourth);
                }
            }
            throw CelProblem.noSuchOverload();
        };
    }

    /** {@code x in [1, 2, 3]}: the reference makes a set of it and charges nothing more. */
    private Typed member(Ast.Call ast, Typed value, Typed list, List<?> elements) {
        if (checked && !list.type.parameter(0).accepts(value.type)) {
            return mismatch(ast.at(), "@in", false, List.of(value.type, list.type));
        }
        Code of = value.code;
        return new Typed(CelType.BOOL, frame -> Library.contains(frame, elements, of.run(frame)));
    }

    private Typed alternative(Ast.Call ast, Typed first, Typed second) {
        boolean value = ast.function().equals("orValue");
        CelType type = first.type.is(CelType.OPTIONAL) ? first.type.parameter(0) : CelType.DYN;
        CelType other = value ? second.type : second.type.unwrapped();
        if ((!first.type.isDyn() && !first.type.is(CelType.OPTIONAL))
                || (!value && !second.type.isDyn() && !second.type.is(CelType.OPTIONAL))
                || !type.accepts(other)) {
            return mismatch(ast.at(), ast.function(), true, List.of(first.type, second.type));
        }
        CelType result = type.isDyn() ? other : type;
        Code left = first.code;
        Code right = second.code;
        return new Typed(value ? result : CelType.optional(result), frame -> {
            if (!(left.run(frame) instanceof Optional<?> optional)) {
                throw CelProblem.noSuchOverload();
            }
            if (optional.isPresent()) {
                return value ? optional.get() : optional;
            }
            Object instead = right.run(frame);
            if (!value && !(instead instanceof Optional)) {
                throw CelProblem.noSuchOverload();
            }
            return instead;
        });
    }

    // ---- operators that leave a part out

    private Typed logic(Ast.Logic ast) {
        List<Typed> terms = visit(ast.terms());
        for (int i = 0; i < terms.size(); i++) {
            if (!CelType.BOOL.accepts(terms.get(i).type)) {
                return mismatch(
                        ast.at(),
                        ast.all() ? "_&&_" : "_||_",
                        false,
                        terms.stream()
                                .limit(Math.max(2, i + 1))
                                .map(Typed::type)
                                .toList());
            }
        }
        Code[] codes = terms.stream().map(Typed::code).toArray(Code[]::new);
        boolean all = ast.all();
        return new Typed(CelType.BOOL, frame -> {
            CelProblem problem = null;
            for (Code code : codes) {
                try {
                    Object value = code.run(frame);
                    if (!(value instanceof Boolean truth)) {
                        problem = problem == null ? CelProblem.noSuchOverload() : problem;
                    } else if (truth != all) {
                        return !all;
                    }
                } catch (CelProblem thrown) {
                    problem = kept(problem, thrown);
                }
            }
            if (problem != null) {
                throw problem;
            }
            return all;
        });
    }

    private static CelProblem kept(@Nullable CelProblem first, CelProblem thrown) {
        if (thrown.cancelled()) {
            throw thrown;
        }
        return first == null ? thrown : first;
    }

    private Typed choice(Ast.Choice ast) {
        Typed condition = visit(ast.condition());
        Typed yes = visit(ast.yes());
        Typed no = visit(ast.no());
        if (!CelType.BOOL.accepts(condition.type) || (checked && !agree(yes.type, no.type))) {
            return mismatch(ast.at(), "_?_:_", false, List.of(condition.type, yes.type, no.type));
        }
        Code of = condition.code;
        Code then = yes.code;
        Code otherwise = no.code;
        // the reference resolves a branch that is a variable without charging it
        long thenBack = yes.path == Path.VARIABLE ? -1 : 0;
        long otherwiseBack = no.path == Path.VARIABLE ? -1 : 0;
        return new Typed(
                yes.type.join(no.type),
                frame -> {
                    if (!(of.run(frame) instanceof Boolean truth)) {
                        throw CelProblem.noSuchOverload();
                    }
                    Object value = truth ? then.run(frame) : otherwise.run(frame);
                    frame.pay(truth ? thenBack : otherwiseBack);
                    return value;
                },
                null,
                Path.CHOICE);
    }

    private static boolean agree(CelType a, CelType b) {
        return a.accepts(b) || b.accepts(a);
    }

    // ---- lists and maps

    private Typed elements(Ast.Elements ast) {
        List<Typed> typed = new ArrayList<>();
        CelType common = null;
        boolean constant = true;
        for (Ast.Element element : ast.elements()) {
            Typed one = visit(element.value());
            CelType type = one.type;
            if (element.optional()) {
                type = optionalType(element.value().at(), type);
            }
            common = common(element.value().at(), common, type);
            typed.add(one);
            constant &= one.constant != null && !element.optional();
        }
        CelType type = CelType.list(common == null ? CelType.DYN : common);
        if (constant) {
            List<Object> values = new ArrayList<>();
            typed.forEach(one -> values.add(java.util.Objects.requireNonNull(one.constant)));
            List<Object> list = java.util.Collections.unmodifiableList(values);
            return new Typed(type, _ -> list, list, Path.NONE);
        }
        Code[] codes = typed.stream().map(Typed::code).toArray(Code[]::new);
        boolean[] optional = new boolean[codes.length];
        for (int i = 0; i < codes.length; i++) {
            optional[i] = ast.elements().get(i).optional();
        }
        return new Typed(type, frame -> {
            List<Object> list = new ArrayList<>(codes.length);
            frame.work(codes.length);
            for (int i = 0; i < codes.length; i++) {
                Object value = codes[i].run(frame);
                if (!optional[i]) {
                    list.add(value);
                } else if (value instanceof Optional<?> maybe) {
                    maybe.ifPresent(list::add);
                } else {
                    throw new CelProblem(
                            "cannot initialize optional list element from non-optional value " + Values.text(value));
                }
            }
            frame.pay(LIST_COST);
            return list;
        });
    }

    private CelType optionalType(int at, CelType type) {
        if (type.is(CelType.OPTIONAL)) {
            return type.parameter(0);
        }
        if (checked && !type.isDyn()) {
            problem(at, "expected type 'optional_type(" + type + ")' but found '" + type + "'");
        }
        return CelType.DYN;
    }

    private CelType common(int at, @Nullable CelType common, CelType type) {
        if (common == null) {
            return type;
        }
        if (checked && !mixed && !agree(common, type)) {
            problem(at, "expected type '" + common + "' but found '" + type + "'");
            return CelType.DYN;
        }
        return common.join(type);
    }

    private Typed entries(Ast.Entries ast) {
        int count = ast.entries().size();
        Code[] keys = new Code[count];
        Code[] values = new Code[count];
        boolean[] optional = new boolean[count];
        CelType keyType = null;
        CelType valueType = null;
        boolean constant = true;
        for (int i = 0; i < count; i++) {
            Ast.Entry entry = ast.entries().get(i);
            Typed key = visit(entry.key());
            Typed value = visit(entry.value());
            keyType = common(entry.key().at(), keyType, key.type);
            valueType = common(
                    entry.value().at(),
                    valueType,
                    entry.optional() ? optionalType(entry.value().at(), value.type) : value.type);
            keys[i] = key.code;
            values[i] = value.code;
            optional[i] = entry.optional();
            constant &= key.constant != null && value.constant != null && !entry.optional();
        }
        // what can be no key is one that the evaluation finds
        CelType type = CelType.map(
                keyType == null || !KEYS.contains(keyType) ? CelType.DYN : keyType,
                valueType == null ? CelType.DYN : valueType);
        Code code = frame -> {
            Values.Dictionary map = new Values.Dictionary();
            frame.work(2L * keys.length);
            for (int i = 0; i < keys.length; i++) {
                Object key = keys[i].run(frame);
                Object value = values[i].run(frame);
                if (optional[i]) {
                    if (!(value instanceof Optional<?> maybe)) {
                        throw new CelProblem("cannot initialize optional entry '" + Values.text(key)
                                + "' from non-optional value " + Values.text(value));
                    }
                    if (maybe.isEmpty()) {
                        continue;
                    }
                    value = maybe.get();
                }
                add(map, key, value);
            }
            frame.pay(MAP_COST);
            return map;
        };
        if (constant) {
            try {
                Object map = code.run(new Frame(0, Long.MAX_VALUE));
                return new Typed(type, _ -> map, map, Path.NONE);
            } catch (CelProblem _) {
                // it is one at each evaluation
            }
        }
        return new Typed(type, code);
    }

    private static void add(Values.Dictionary map, Object key, Object value) {
        if (!map.add(key, value)) {
            throw new CelProblem("insert failed: key " + Values.text(key) + " already exists");
        }
    }

    // ---- macros

    private Local enter(CelType type) {
        Local local = new Local(type, used++);
        slots = Math.max(slots, used);
        return local;
    }

    private Typed within(String name, Local local, Ast body) {
        Local hidden = names.put(name, local);
        try {
            return visit(body);
        } finally {
            if (hidden == null) {
                names.remove(name);
            } else {
                names.put(name, hidden);
            }
        }
    }

    private Typed bind(Ast.Bind ast) {
        Typed value = visit(ast.value());
        Local local = enter(value.type);
        Typed body = within(ast.name(), local, ast.body());
        used--;
        Code of = value.code;
        Code then = body.code;
        int slot = local.slot;
        return new Typed(body.type, frame -> {
            frame.slots[slot] = of.run(frame);
            return then.run(frame);
        });
    }

    private Typed optionalMap(Ast.OptionalMap ast) {
        Typed target = visit(ast.target());
        if (!target.type.isDyn() && !target.type.is(CelType.OPTIONAL)) {
            return mismatch(ast.at(), ast.flat() ? "optFlatMap" : "optMap", true, List.of(target.type));
        }
        Local local = enter(target.type.parameter(0));
        Typed body = within(ast.name(), local, ast.body());
        used--;
        if (checked && ast.flat() && !body.type.isDyn() && !body.type.is(CelType.OPTIONAL)) {
            return mismatch(ast.at(), "_?_:_", false, List.of(CelType.BOOL, body.type, CelType.OPTIONAL));
        }
        Code of = target.code;
        Code then = body.code;
        int slot = local.slot;
        boolean flat = ast.flat();
        return new Typed(flat ? body.type : CelType.optional(body.type), frame -> {
            long before = frame.cost();
            if (!(of.run(frame) instanceof Optional<?> optional)) {
                throw CelProblem.noSuchOverload();
            }
            long cost = frame.cost() - before;
            frame.pay(1);
            if (optional.isEmpty()) {
                frame.pay(1);
                return optional;
            }
            // the reference evaluates the target twice: whether it has a value, and which
            frame.pay(cost + 1);
            frame.slots[slot] = optional.get();
            Object value = then.run(frame);
            if (flat) {
                return value;
            }
            frame.pay(1);
            return Optional.of(value);
        });
    }

    private Typed sortBy(Ast.SortBy ast) {
        Typed target = visit(ast.target());
        if (!target.type.isDyn() && !target.type.is(CelType.LIST)) {
            return mismatch(ast.at(), "sortBy", true, List.of(target.type));
        }
        Local local = enter(target.type.parameter(0));
        Typed key = within(ast.name(), local, ast.key());
        used--;
        Code of = target.code;
        Code by = key.code;
        int slot = local.slot;
        return new Typed(target.type, frame -> {
            if (!(of.run(frame) instanceof List<?> list)) {
                throw CelProblem.noSuchOverload();
            }
            List<Object> keys = new ArrayList<>(list.size());
            for (Object element : list) {
                frame.slots[slot] = element;
                frame.pay(2 + LIST_COST);
                keys.add(by.run(frame));
            }
            frame.pay(1);
            return Library.sorted(frame, list, keys);
        });
    }

    private Typed fold(Ast.Fold ast) {
        Typed range = visit(ast.range());
        CelType type = range.type;
        if (!type.isDyn() && !type.is(CelType.LIST) && !type.is(CelType.MAP)) {
            return problem(
                    ast.range().at(),
                    "expression of type '" + type
                            + "' cannot be range of a comprehension (must be list, map, or dynamic)");
        }
        boolean map = type.is(CelType.MAP);
        Local first = enter(ast.second() == null || map ? type.parameter(0) : type.isDyn() ? CelType.DYN : CelType.INT);
        Local second = enter(type.is(CelType.MAP) ? type.parameter(1) : type.parameter(0));
        Local hidden = ast.second() == null ? null : names.put(ast.second(), second);
        Typed filter = ast.filter() == null ? null : within(ast.first(), first, ast.filter());
        Typed body = ast.body() == null ? null : within(ast.first(), first, ast.body());
        if (ast.second() != null) {
            if (hidden == null) {
                names.remove(ast.second());
            } else {
                names.put(ast.second(), hidden);
            }
        }
        used -= 2;
        if (filter != null && !CelType.BOOL.accepts(filter.type)) {
            return mismatch(ast.at(), "_?_:_", false, List.of(filter.type, CelType.DYN, CelType.DYN));
        }
        return folded(ast, range, first, second, filter, body);
    }

    private Typed folded(
            Ast.Fold ast, Typed range, Local first, Local second, @Nullable Typed filter, @Nullable Typed body) {
        boolean pairs = ast.second() != null;
        Code of = range.code;
        int slot = first.slot;
        int other = second.slot;
        Folding folding;
        CelType type;
        switch (ast.kind()) {
            case ALL, EXISTS -> {
                Typed test = java.util.Objects.requireNonNull(body);
                boolean all = ast.kind() == Ast.FoldKind.ALL;
                if (!CelType.BOOL.accepts(test.type)) {
                    return mismatch(ast.at(), all ? "_&&_" : "_||_", false, List.of(CelType.BOOL, test.type));
                }
                type = CelType.BOOL;
                Code code = test.code;
                folding = () -> new Quantified(all, code);
            }
            case EXISTS_ONE -> {
                Typed test = java.util.Objects.requireNonNull(body);
                if (!CelType.BOOL.accepts(test.type)) {
                    return mismatch(ast.at(), "_?_:_", false, List.of(test.type, CelType.INT, CelType.INT));
                }
                type = CelType.BOOL;
                Code code = test.code;
                folding = () -> new ExactlyOne(code);
            }
            case LIST -> {
                CelType element = body != null ? body.type : first.type;
                type = CelType.list(element);
                Code test = filter == null ? null : filter.code;
                Code code = body == null ? null : body.code;
                folding = () -> new Collected(test, code, slot);
            }
            case MAP, MAP_ENTRY -> {
                Typed made = java.util.Objects.requireNonNull(body);
                boolean entry = ast.kind() == Ast.FoldKind.MAP_ENTRY;
                if (entry && checked && !made.type.isDyn() && !made.type.is(CelType.MAP)) {
                    return mismatch(ast.at(), "cel.@mapInsert", false, List.of(CelType.MAP, made.type));
                }
                type = entry ? made.type.is(CelType.MAP) ? made.type : CelType.MAP : CelType.map(first.type, made.type);
                Code test = filter == null ? null : filter.code;
                Code code = made.code;
                folding = () -> new Mapped(test, code, entry, slot);
            }
            default -> throw new IllegalStateException();
        }
        return new Typed(type, frame -> {
            Object over = of.run(frame);
            Step step = folding.begin();
            if (over instanceof List<?> list) {
                int size = list.size();
                for (int i = 0; i < size; i++) {
                    if (pairs) {
                        frame.slots[slot] = (long) i;
                        frame.slots[other] = list.get(i);
                    } else {
                        frame.slots[slot] = list.get(i);
                    }
                    if (!step.next(frame)) {
                        break;
                    }
                }
            } else if (over instanceof Map<?, ?> map) {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    frame.slots[slot] = entry.getKey();
                    if (pairs) {
                        frame.slots[other] = entry.getValue();
                    }
                    if (!step.next(frame)) {
                        break;
                    }
                }
            } else {
                throw new CelProblem("got '" + Library.goType(over) + "', expected iterable type");
            }
            return step.end(frame);
        });
    }

    private interface Folding {
        Step begin();
    }

    /** One comprehension at work; each charges what the reference's loop does. */
    private interface Step {
        boolean next(Frame frame);

        Object end(Frame frame);
    }

    private static final class Quantified implements Step {
        private final boolean all;
        private final Code test;
        private boolean decided;
        private @Nullable CelProblem problem;

        Quantified(boolean all, Code test) {
            this.all = all;
            this.test = test;
        }

        @Override
        public boolean next(Frame frame) {
            frame.pay(all ? 2 : 3);
            if (decided) {
                return false;
            }
            frame.pay(1);
            try {
                if (!(test.run(frame) instanceof Boolean truth)) {
                    problem = problem == null ? CelProblem.noSuchOverload() : problem;
                } else if (truth != all) {
                    decided = true;
                }
            } catch (CelProblem thrown) {
                problem = kept(problem, thrown);
            }
            return true;
        }

        @Override
        public Object end(Frame frame) {
            frame.pay(1);
            if (!decided && problem != null) {
                throw problem;
            }
            return decided != all;
        }
    }

    private static final class ExactlyOne implements Step {
        private final Code test;
        private long count;

        ExactlyOne(Code test) {
            this.test = test;
        }

        @Override
        public boolean next(Frame frame) {
            if (isTrue(test, frame)) {
                frame.pay(2);
                count++;
            } else {
                // even a step that finds nothing is one
                frame.work(1);
            }
            return true;
        }

        @Override
        public Object end(Frame frame) {
            frame.pay(2);
            return count == 1;
        }
    }

    private static boolean isTrue(Code test, Frame frame) {
        if (test.run(frame) instanceof Boolean truth) {
            return truth;
        }
        throw CelProblem.noSuchOverload();
    }

    private static final class Collected implements Step {
        private final @Nullable Code test;
        private final @Nullable Code body;
        private final int slot;
        private final List<Object> list = new ArrayList<>();

        Collected(@Nullable Code test, @Nullable Code body, int slot) {
            this.test = test;
            this.body = body;
            this.slot = slot;
        }

        @Override
        public boolean next(Frame frame) {
            frame.work(1);
            if (test == null || isTrue(test, frame)) {
                frame.pay(1);
                if (body == null) {
                    frame.pay(1);
                    list.add(frame.slots[slot]);
                } else {
                    list.add(body.run(frame));
                }
                frame.pay(LIST_COST + 1);
            }
            return true;
        }

        @Override
        public Object end(Frame frame) {
            frame.pay(1);
            return list;
        }
    }

    private static final class Mapped implements Step {
        private final @Nullable Code test;
        private final Code body;
        private final boolean entry;
        private final int slot;
        private final Values.Dictionary map = new Values.Dictionary();

        Mapped(@Nullable Code test, Code body, boolean entry, int slot) {
            this.test = test;
            this.body = body;
            this.entry = entry;
            this.slot = slot;
        }

        @Override
        public boolean next(Frame frame) {
            frame.work(2);
            if (test != null && !isTrue(test, frame)) {
                return true;
            }
            frame.pay(1);
            if (!entry) {
                Object key = frame.slots[slot];
                frame.pay(1);
                add(map, key, body.run(frame));
            } else if (body.run(frame) instanceof Map<?, ?> made) {
                frame.work(made.size());
                made.forEach((key, value) -> add(map, key, value));
            } else {
                throw CelProblem.noSuchOverload();
            }
            frame.pay(1);
            return true;
        }

        @Override
        public Object end(Frame frame) {
            frame.pay(1);
            return map;
        }
    }
}
