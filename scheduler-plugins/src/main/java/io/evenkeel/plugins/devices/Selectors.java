package io.evenkeel.plugins.devices;

import io.evenkeel.cel.CelMap;
import io.evenkeel.cel.CelProblem;
import io.evenkeel.cel.CelProgram;
import io.evenkeel.cel.CelQuantity;
import io.evenkeel.cel.CelSemver;
import io.evenkeel.cel.CelType;
import io.evenkeel.model.device.Device;
import io.evenkeel.plugins.devices.Pools.Published;
import io.evenkeel.plugins.devices.Pools.Unit;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compiled selectors of devices, and which devices of a slice they match: each expression is compiled once, and asked once of
 * each device. What claims can make many of is given up from the oldest on.
 */
final class Selectors {
    private static final int MOST = 256;
    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int MOST_SLICES = 1 << 18;
    private static final int COST_OF_A_LOOK = 10;

    private final Map<String, CelType> variables;
    private final boolean sharing;
    private final LinkedHashMap<String, Selector> byExpression = new LinkedHashMap<>(16, 0.75f, true);
    private int characters;
    private int slices;

    /** @param sharing whether expressions can ask if several claims may have a device */
    Selectors(boolean sharing) {
        this.sharing = sharing;
        Map<String, CelType> fields = new HashMap<>();
        fields.put("driver", CelType.STRING);
        fields.put("attributes", CelType.map(CelType.STRING, CelType.map(CelType.STRING, CelType.DYN)));
        fields.put("capacity", CelType.map(CelType.STRING, CelType.map(CelType.STRING, CelType.QUANTITY)));
        if (sharing) {
            fields.put("allowMultipleAllocations", CelType.BOOL);
        }
        variables = Map.of("device", CelType.object("kubernetes.DRADevice", fields));
    }

    Selector of(String expression) {
        Selector known = byExpression.get(expression);
        if (known == null) {
            known = new Selector(expression);
            byExpression.put(expression, known);
            characters += expression.length();
            while (byExpression.size() > 1 && (byExpression.size() > MOST || characters > MOST_CHARACTERS)) {
                Selector oldest = byExpression.pollFirstEntry().getValue();
                characters -= oldest.expression.length();
                slices -= oldest.answers.size();
                oldest.answers.clear();
                oldest.isKept = false;
            }
        }
        return known;
    }

    /** The slice is gone, and so is what was found out about its devices. */
    void forget(Published slice) {
        byExpression.values().forEach(selector -> slices -= selector.answers.remove(slice) == null ? 0 : 1);
    }

    private Object describe(Unit unit) {
        Device device = unit.device;
        String driver = unit.slice.slice.driver();
        Map<String, Map<String, Object>> attributes = new TreeMap<>();
        device.attributes().forEach((name, attribute) -> put(attributes, driver, name, value(name, attribute)));
        Map<String, Map<String, Object>> capacity = new TreeMap<>();
        device.capacity().forEach((name, each) -> {
            put(capacity, driver, name, CelQuantity.parse(each.value().toString()));
        });
        Map<String, Object> fields = new HashMap<>();
        fields.put("driver", driver);
        fields.put("attributes", new CelMap(attributes, Map.of()));
        fields.put("capacity", new CelMap(capacity, Map.of()));
        if (sharing) {
            fields.put("allowMultipleAllocations", device.shared());
        }
        return fields;
    }

    private static void put(Map<String, Map<String, Object>> domains, String driver, String name, Object value) {
        int slash = name.indexOf('/');
        domains.computeIfAbsent(slash < 0 ? driver : name.substring(0, slash), _ -> new HashMap<>())
                .put(name.substring(slash + 1), value);
    }

    private static Object value(String name, Device.Attribute attribute) {
        return switch (attribute) {
            case Device.Attribute.Int(long value) -> value;
            case Device.Attribute.Bool(boolean value) -> value;
            case Device.Attribute.Text(String value) -> value;
            case Device.Attribute.Version(String value) -> {
                try {
                    yield CelSemver.parse(value);
                } catch (CelProblem problem) {
                    throw new Unanswered("attribute " + name + ": parse semantic version: " + problem.getMessage());
                }
            }
            case Device.Attribute.Unknown() ->
                throw new Unanswered("attribute " + name + ": unsupported attribute value");
        };
    }

    /** An expression that does not compile, or has no answer for a device. */
    static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unanswered(String message) {
            super(message, null, false, false);
        }
    }

    /** One expression. */
    final class Selector {
        final String expression;
        private final @Nullable CelProgram program;
        private final String mistake;
        private final Map<Published, long[]> answers = new IdentityHashMap<>();
        private boolean isKept = true;

        private Selector(String expression) {
            this.expression = expression;
            CelProgram compiled = null;
            String problem = "";
            try {
                compiled = CelProgram.compileCondition(expression, variables);
            } catch (CelProblem wrong) {
                String message = String.valueOf(wrong.getMessage());
                problem = message.startsWith("must evaluate") ? message : "compilation failed: " + message;
            }
            program = compiled;
            mistake = problem;
        }

        /**
         * Whether it matches the device.
         *
         * @param looks is told how many looks the answer is worth, if it was not known
         * @throws Unanswered which says why there is no answer
         */
        boolean matches(Unit unit, IntConsumer looks) {
            if (program == null) {
                throw new Unanswered("CEL compile error: " + mistake);
            }
            long[] known = answers.get(unit.slice);
            int word = unit.index >>> 6;
            long bit = 1L << unit.index;
            if (known != null && (known[2 * word] & bit) != 0) {
                return (known[2 * word + 1] & bit) != 0;
            }
            boolean matches = ask(program, unit, looks);
            if (!isKept) {
                return matches;
            }
            if (known == null) {
                known = new long[2 * ((unit.slice.units.length >>> 6) + 1)];
                if (++slices > MOST_SLICES) {
                    byExpression.values().forEach(selector -> selector.answers.clear());
                    slices = 1;
                }
                answers.put(unit.slice, known);
            }
            known[2 * word] |= bit;
            known[2 * word + 1] |= matches ? bit : 0;
            return matches;
        }

        private boolean ask(CelProgram program, Unit unit, IntConsumer looks) {
            try {
                return program.matches(
                        CelProgram.SELECTOR_LIMIT,
                        spent -> looks.accept((int) (1 + spent / COST_OF_A_LOOK)),
                        describe(unit));
            } catch (CelProblem | Unanswered problem) {
                throw new Unanswered("CEL runtime error: " + problem.getMessage());
            }
        }
    }
}
