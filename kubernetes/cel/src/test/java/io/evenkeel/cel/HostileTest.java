package io.evenkeel.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a user writes ends soon: with an answer, or with a problem and nothing else. */
class HostileTest {
    private static final int EXPRESSIONS = 8_000;
    private static final long SEED = 1978;
    private static final String SIGNS =
            "()[]{}.,?:!&|+-*/%<>='\"`\\ \n\t0123456789abruexin_//truefalsenullhasallexistsmapfilter😀ä\u0000";

    private static void play(String expression) {
        Map<String, CelType> types = new LinkedHashMap<>();
        for (String name : List.of("i", "s", "b", "l", "m")) {
            types.put(name, CelType.DYN);
        }
        Object[] values = {3L, "some text", true, List.of(1L, 2L, 3L), Map.of("a", 1L)};
        try {
            CelProgram program = CelProgram.compile(expression, types);
            long cost = program.cost(values);
            program.evaluate(CelProgram.SELECTOR_LIMIT, values);
            // whoever gets an answer has not paid more
            assertThat(cost).isBetween(0L, CelProgram.SELECTOR_LIMIT);
        } catch (CelProblem problem) {
            assertThat(problem.getMessage()).isNotEmpty();
        }
    }

    @Test
    void mutilatedExpressionsEndWithAnAnswerOrAProblem() throws NoSuchMethodException {
        Random random = new Random(SEED);
        String[] whole = LibraryTest.class
                .getDeclaredMethod("holds", String.class)
                .getAnnotation(ValueSource.class)
                .strings();
        for (int count = 0; count < EXPRESSIONS; count++) {
            StringBuilder expression = new StringBuilder(
                    random.nextBoolean()
                            ? new Expressions(random).any(1 + random.nextInt(5))
                            : whole[random.nextInt(whole.length)]);
            for (int mutation = random.nextInt(4); mutation > 0 && !expression.isEmpty(); mutation--) {
                int at = random.nextInt(expression.length());
                switch (random.nextInt(3)) {
                    case 0 -> expression.deleteCharAt(at);
                    case 1 -> expression.insert(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
                    default -> {
                        int end = Math.min(expression.length(), at + random.nextInt(12));
                        expression.insert(random.nextInt(expression.length()), expression.substring(at, end));
                    }
                }
            }
            String text = expression.toString();
            try {
                play(text);
            } catch (RuntimeException | Error problem) {
                throw new AssertionError(text, problem);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                "[",
                "{1:",
                "!",
                "-",
                "a.",
                "1 + ",
                "1 ? 2 : ",
                "f(",
                "l.all(x, ",
                "l.map(x, ",
                "'",
                "\"\"\"",
                "l[",
                "m.?a[?",
                "true && ",
                "[?",
                "cel.bind(x, ",
                "optional.of(",
                "has(",
                "/",
                "1 in ",
                "1 < ",
                "x{",
                "`",
            })
    void depthIsBounded(String piece) {
        play(piece.repeat(20_000));
        play(piece.repeat(240));
        play(piece.repeat(240) + "1" + ")".repeat(240));
        play("1" + piece.repeat(240));
        play(piece.repeat(40_000));
    }

    @Test
    void whatIsLongButFlatIsNotDeep() {
        assertThat(CelProgram.compile("true" + " && true".repeat(5_000), Map.of())
                        .matches(0, _ -> {}))
                .isTrue();
        assertThat(CelProgram.compile("[" + "1,".repeat(40_000) + "1].size() == 40001", Map.of())
                        .matches(10, _ -> {}))
                .isTrue();
    }

    @Test
    void nothingGrowsWithoutBound() {
        String doubled = "s";
        String list = "l";
        String nested = "l";
        String keyed = "1";
        String deep = "1";
        for (int i = 0; i < 60; i++) {
            doubled = "cel.bind(x" + i + ", " + doubled + ", x" + i + " + x" + i + ")";
            list = "cel.bind(x" + i + ", " + list + ", x" + i + " + x" + i + ")";
            keyed = "cel.bind(x" + i + ", {" + keyed + ": 1}, {x" + i + ": x" + i + "} == {x" + i + ": x" + i + "})";
            nested = "cel.bind(x" + i + ", " + nested + ", [x" + i + ", x" + i + "])";
        }
        for (int i = 0; i < 200; i++) {
            deep = "cel.bind(x, " + "[".repeat(200 - i) + (i == 0 ? "1" : "x") + "]".repeat(200 - i) + ", " + deep
                    + ")";
        }
        deep = deep.replace(", 1)", ", x == x && [x].flatten(1000).sum() == 1)");
        for (String expression : List.of(
                deep,
                keyed,
                "cel.bind(x, 'ä' + s.replace('', s).replace('', s).replace('', s), lists.range(100000).all(y, size(x) > y))",
                "cel.bind(x, s.replace('', s).replace('', s), x.replace('x', x).indexOf(x) < x.lastIndexOf(x + x))",
                doubled,
                doubled + ".size()",
                list + ".size()",
                nested + " == " + nested,
                nested + ".flatten(100)",
                nested + " in [" + nested + "]",
                "'%s'.format([" + nested + "])",
                nested + ".isSorted()",
                nested + ".sum()",
                "lists.range(1000000).map(x, lists.range(1000000))",
                "lists.range(2000000000)",
                "lists.range(9223372036854775807)",
                "lists.range(100000).sort()",
                "lists.range(100000).distinct()",
                "cel.bind(x, s.replace('', s), x.replace('', x).replace('', x).replace('', x).replace('', x))",
                "cel.bind(x, '%.100f%.100f%.100f', x.replace('%', x).replace('%', x).replace('%', x)).format([1.0, 1.0])",
                "cel.bind(x, s.replace('', s).replace('', s), x.split('').map(y, x))",
                "cel.bind(x, s.replace('', s).replace('', s), [x, x, x].join(x).matches('(a*)*(b*)*(c*)*$'))",
                "s.replace('', s).replace('', s).replace('', s).findAll('(.*)*(.*)*')",
                "s.matches('((((((a{100}){100}){100}){100}){100}){100})')",
                "s.matches('(?:x{1000}){1000}')",
                "s.matches('" + "(".repeat(5_000) + "a" + ")".repeat(5_000) + "')",
                "s.matches(s.replace('', '(').replace('o', '{1000}'))",
                "l.map(a, l.map(b, l.map(c, l.map(d, l.map(e, l.map(f, l.map(g, l.map(h, l.map(j, l)))))))))",
                "lists.range(3000).filter(x, lists.range(3000).exists_one(y, false))",
                "quantity('1e1000').add(quantity('1e-9')).asApproximateFloat() > 1.0",
                "isIP('" + ":".repeat(10_000) + "') || isURL('" + "%".repeat(10_000) + "')",
                "format.dns1123Subdomain().validate('" + "a.".repeat(20_000) + "')",
                "[1, 2, 3].sortBy(x, [1, 2, 3].sortBy(y, [1, 2, 3].sortBy(z, z).size()).size())")) {
            play(expression);
        }
    }
}
