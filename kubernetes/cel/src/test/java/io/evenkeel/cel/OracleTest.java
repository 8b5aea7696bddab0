package io.evenkeel.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Another hand's compiler gives the same answers to random expressions, and refuses the same ones. */
class OracleTest {
    private static final int EXPRESSIONS = 2_000;
    private static final long SEED = 41;
    private static final CelOptions OPTIONS = options();
    private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("i", SimpleType.INT)
            .addVar("s", SimpleType.STRING)
            .addVar("b", SimpleType.BOOL)
            .addVar("l", ListType.create(SimpleType.INT))
            .addVar("m", MapType.create(SimpleType.STRING, SimpleType.INT))
            .build();
    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.standardCelRuntimeBuilder().setOptions(OPTIONS).build();

    @SuppressWarnings("deprecation") // an API server still asks for literals of one type
    private static CelOptions options() {
        return CelOptions.current()
                .enableHeterogeneousNumericComparisons(true)
                .enableHomogeneousLiterals(true)
                .build();
    }

    @Test
    void answersAsAnotherHandDoes() {
        Random random = new Random(SEED);
        Map<String, CelType> types = new LinkedHashMap<>();
        types.put("i", CelType.INT);
        types.put("s", CelType.STRING);
        types.put("b", CelType.BOOL);
        types.put("l", CelType.list(CelType.INT));
        types.put("m", CelType.map(CelType.STRING, CelType.INT));
        List<String> different = new ArrayList<>();
        int answered = 0;
        for (int count = 0; count < EXPRESSIONS; count++) {
            String expression = new Expressions(random).any(1 + random.nextInt(5));
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("i", (long) random.nextInt(10));
            values.put("s", random.nextBoolean() ? "a" : "bä");
            values.put("b", random.nextBoolean());
            values.put("l", List.of(4L, (long) random.nextInt(3)));
            values.put("m", Map.of("a", 5L));
            String theirs = theirs(expression, values);
            String ours = ours(expression, types, values);
            // theirs finds out what an empty list would hold, and then refuses what cannot be
            boolean narrower = theirs.equals("refused") && expression.contains("[]");
            if (!ours.equals(theirs) && !narrower) {
                different.add(expression + "\n  ours " + ours + "\n  theirs " + theirs);
            }
            answered += theirs.startsWith("=") ? 1 : 0;
        }
        assertThat(different).isEmpty();
        assertThat(answered).isGreaterThan(EXPRESSIONS / 3);
    }

    private static String theirs(String expression, Map<String, Object> values) {
        CelAbstractSyntaxTree ast;
        try {
            ast = COMPILER.compile(expression).getAst();
        } catch (CelValidationException _) {
            return "refused";
        }
        try {
            return "= " + text(RUNTIME.createProgram(ast).eval(values));
        } catch (CelEvaluationException _) {
            return "no answer";
        }
    }

    private static String ours(String expression, Map<String, CelType> types, Map<String, Object> values) {
        CelProgram program;
        try {
            program = CelProgram.compile(expression, types);
        } catch (CelProblem problem) {
            return "refused";
        }
        try {
            return "= "
                    + text(program.evaluate(
                            CelProgram.SELECTOR_LIMIT, values.values().toArray()));
        } catch (CelProblem problem) {
            return "no answer";
        }
    }

    private static String text(Object value) {
        return switch (value) {
            case CelUint number -> "UnsignedLong " + number;
            case List<?> list -> list.stream().map(OracleTest::text).toList().toString();
            case Map<?, ?> map -> {
                List<String> entries = new ArrayList<>();
                map.forEach((key, one) -> entries.add(text(key) + ":" + text(one)));
                yield entries.stream().sorted().toList().toString();
            }
            default -> value.getClass().getSimpleName() + " " + value;
        };
    }
}
