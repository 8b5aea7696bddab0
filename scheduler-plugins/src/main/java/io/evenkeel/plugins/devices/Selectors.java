package io.evenkeel.plugins.devices;

import io.evenkeel.cel.CelMap;
import io.evenkeel.cel.CelProblem;
import io.evenkeel.cel.CelProgram;
import io.evenkeel.cel.CelQuantity;
import io.evenkeel.cel.CelSemver;
import io.evenkeel.cel.DeviceSelector;
import io.evenkeel.model.device.Device;
import io.evenkeel.plugins.devices.Pools.Published;
import io.evenkeel.plugins.devices.Pools.Unit;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compiled selectors of devices, and which devices of a slice they match: each expression is compiled once, when it is first
 * asked, and asked once of each device. What claims can make many of is given up from the oldest on.
 */
final class Selectors {
    /** Room for the longest claim that an API server takes, and for the usual ones beside it. */
    private static final int MOST_CHARACTERS = 1 << 21;

    private static final int MORE_A_SELECTOR = 64;
    private static final int MOST_SLICES = 1 << 18;
    private static final int LOOKS_A_CHARACTER = 8;

    private static final String MISSING_KEY = "no such key";
    private static final String WAY_OUT =
            ". consider using CEL optional chaining (.? followed by orValue()) or guarding"
                    + " the check with has() for optional fields";

    private final boolean sharing;
    private final boolean explains;
    private final LinkedHashMap<String, Selector> byExpression = new LinkedHashMap<>(16, 0.75f, true);
    private int characters;
    private int slices;
    private @Nullable Unit described;
    private Object description = "";

    /**
     * None yet.
     *
     * @param sharing whether expressions can ask if several claims may have a device
     * @param explains whether a problem says what to write instead
     */
    Selectors(boolean sharing, boolean explains) {
        this.sharing = sharing;
        this.explains = explains;
    }

    Selector of(String expression) {
        Selector known = byExpression.get(expression);
        if (known == null) {
            known = new Selector(expression);
            byExpression.put(expression, known);
            characters += known.characters;
            giveUpOldest();
        }
        return known;
    }

    private void giveUpOldest() {
        while (byExpression.size() > 1 && characters > MOST_CHARACTERS) {
            Selector oldest = byExpression.pollFirstEntry().getValue();
            characters -= oldest.characters;
            slices -= oldest.answers.size();
            oldest.answers.clear();
            oldest.isKept = false;
        }
    }

    /** Those of the oldest selectors go, so that the answers for what is asked often stay. */
    private void giveUpOldestAnswers() {
        Iterator<Selector> oldest = byExpression.values().iterator();
        while (slices > MOST_SLICES / 2 && oldest.hasNext()) {
            Selector selector = oldest.next();
            slices -= selector.answers.size();
            selector.answers.clear();
        }
    }

    /** The slice is gone, and so is what was found out about its devices. */
    void forget(Published slice) {
        byExpression.values().forEach(selector -> slices -= selector.answers.remove(slice) == null ? 0 : 1);
        if (described != null && described.slice == slice) {
            described = null;
            description = "";
        }
    }

    /** The last one's is kept, as a device is mostly asked for by several selectors. */
    private Object describe(Unit unit) {
        if (described != unit) {
            described = null;
            description = read(unit);
            described = unit;
        }
        return description;
    }

    private Object read(Unit unit) {
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

    /** What is known of the devices of a slice, a bit each. */
    private static final class Answers {
        private final long[] known;
        private final long[] matching;
        private @Nullable String @Nullable [] problems;

        Answers(int devices) {
            known = new long[(devices >>> 6) + 1];
            matching = new long[known.length];
        }

        private static boolean has(long[] bits, int device) {
            return (bits[device >>> 6] & 1L << device) != 0;
        }

        void matches(int device) {
            matching[device >>> 6] |= 1L << device;
        }

        void fails(int device, String problem) {
            if (problems == null) {
                problems = new String[known.length << 6];
            }
            problems[device] = problem;
        }
    }

    /** One expression. */
    final class Selector {
        final String expression;
        private @Nullable CelProgram program;
        private String mistake = "";
        private final Map<Published, Answers> answers = new IdentityHashMap<>();
        private int characters;
        private String lastProblem = "";
        private boolean isKept = true;

        private Selector(String expression) {
            this.expression = expression;
            characters = expression.length() + MORE_A_SELECTOR;
        }

        private void compile(IntConsumer looks) {
            try {
                program = DeviceSelector.compile(expression, sharing);
            } catch (CelProblem wrong) {
                mistake = String.valueOf(wrong.getMessage());
            }
            looks.accept(expression.length() * LOOKS_A_CHARACTER);
        }

        /**
         * Whether it matches the device.
         *
         * @param looks is told how many looks the answer is worth, if it was not known
         * @throws Unanswered which says why there is no answer
         */
        boolean matches(Unit unit, IntConsumer looks) {
            if (program == null && mistake.isEmpty()) {
                compile(looks);
            }
            if (program == null) {
                throw new Unanswered("CEL compile error: " + mistake);
            }
            Answers ofSlice = answers.get(unit.slice);
            if (ofSlice == null || !Answers.has(ofSlice.known, unit.index)) {
                ofSlice = ask(program, unit, ofSlice == null ? new Answers(unit.slice.units.length) : ofSlice, looks);
            }
            String problem = ofSlice.problems == null ? null : ofSlice.problems[unit.index];
            if (problem != null) {
                throw new Unanswered(problem);
            }
            return Answers.has(ofSlice.matching, unit.index);
        }

        private Answers ask(CelProgram asked, Unit unit, Answers ofSlice, IntConsumer looks) {
            long[] spent = {0};
            try {
                if (asked.matches(CelProgram.SELECTOR_LIMIT, more -> spent[0] = more, describe(unit))) {
                    ofSlice.matches(unit.index);
                }
            } catch (CelProblem | Unanswered problem) {
                String message = "CEL runtime error: " + problem.getMessage();
                ofSlice.fails(
                        unit.index, kept(explains && message.contains(MISSING_KEY) ? message + WAY_OUT : message));
            }
            ofSlice.known[unit.index >>> 6] |= 1L << unit.index;
            if (isKept && answers.putIfAbsent(unit.slice, ofSlice) == null && ++slices > MOST_SLICES) {
                giveUpOldestAnswers();
            }
            looks.accept((int) (1 + spent[0]));
            return ofSlice;
        }

        /** Most devices lack an answer for one reason. */
        private String kept(String problem) {
            if (!problem.equals(lastProblem)) {
                lastProblem = problem;
                if (isKept) {
                    characters += problem.length();
                    Selectors.this.characters += problem.length();
                    giveUpOldest();
                }
            }
            return lastProblem;
        }
    }
}
