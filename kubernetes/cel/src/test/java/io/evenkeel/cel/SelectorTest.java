package io.evenkeel.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selectors of devices: what they see, what they cost, and what they say where they fail, by the reference's own cases. */
class SelectorTest {
    private static final CelType DEVICE = CelType.object(
            "kubernetes.DRADevice",
            Map.of(
                    "driver",
                    CelType.STRING,
                    "allowMultipleAllocations",
                    CelType.BOOL,
                    "attributes",
                    CelType.map(CelType.STRING, CelType.map(CelType.STRING, CelType.DYN)),
                    "capacity",
                    CelType.map(CelType.STRING, CelType.map(CelType.STRING, CelType.QUANTITY))));

    private static final Object VALUE = device(
            Map.of(
                    "name",
                    true,
                    "int",
                    1L,
                    "string",
                    "fish",
                    "services",
                    "some_example_value",
                    "version",
                    CelSemver.parse("1.0.0"),
                    "list",
                    List.of("fish", "bird")),
            Map.of("quantity", CelQuantity.parse("1Mi")));

    private static Object device(Map<String, Object> attributes, Map<String, Object> capacity) {
        return Map.of(
                "driver",
                "dra.example.com",
                "allowMultipleAllocations",
                false,
                "attributes",
                new CelMap(Map.of("dra.example.com", attributes), Map.of()),
                "capacity",
                new CelMap(Map.of("dra.example.com", capacity), Map.of()));
    }

    private static CelProgram compile(String expression) {
        return CelProgram.compileCondition(expression, Map.of("device", DEVICE));
    }

    private static boolean matches(String expression) {
        return compile(expression).matches(CelProgram.SELECTOR_LIMIT, _ -> {}, VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "true; true; 0",
                "false; false; 0",
                "'\"no-such-domain\" in device.attributes'; false; 3",
                "'\"dra.example.com\" in device.attributes'; true; 3",
                "device.driver == \"dra.example.com\"; true; 4",
                "device.allowMultipleAllocations; false; 2",
                "device.attributes[\"dra.example.com\"].name; true; 4",
                "device.attributes[\"dra.example.com\"][\"name\"]; true; 4",
                "cel.bind(dra, device.attributes[\"dra.example.com\"], dra.name); true; 5",
                "device.attributes[\"dra.example.com\"].int > 0; true; 5",
                "device.attributes[\"dra.example.com\"].string == \"fish\"; true; 5",
                "device.attributes[\"dra.example.com\"].version.isGreaterThan(semver(\"0.0.1\")); true; 6",
                "device.attributes[\"dra.example.com\"].version.isGreaterThan(semver(\"v0.0.1\", true)) && isSemver(\"v1.0.0\", true); true; 7",
                "device.capacity[\"dra.example.com\"].quantity.isGreaterThan(quantity(\"1Ki\")); true; 6",
                "'\"quantity\" in device.capacity[\"dra.example.com\"] && device.capacity[\"dra.example.com\"].quantity.isGreaterThan(quantity(\"1Ki\"))'; true; 10",
                "device.attributes[\"dra.example.com\"].list.includes(\"fish\"); true; 4",
                "device.attributes[\"dra.example.com\"].list.size() == 2; true; 6",
                "device.attributes[\"dra.example.com\"].list.all(x, x != \"\"); true; 13",
                "device.attributes[\"dra.example.com\"].services.split(\"example\").size() >= 2; true; 10",
                "device.attributes[\"dra.example.com\"].services.matches(\"[^a]?ex\"); true; 8",
                "device.attributes.exists_one(x, x == \"dra.example.com\"); true; 9",
                "has(device.attributes[\"dra.example.com\"].nothing); false; 3",
                "device.attributes[\"dra.example.com\"].?nothing.orValue(false); false; 4",
            })
    void answersAndCostsAsTheReference(String expression, boolean matches, long cost) {
        assertThat(matches(expression)).isEqualTo(matches);
        assertThat(compile(expression).cost(VALUE)).isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "device.attributes[\"no-such-domain\"].noSuchAttr.isGreaterThan(quantity(\"0\")); no such key: noSuchAttr",
                "device.attributes[\"no-such-domain\"][\"noSuchAttr\"].isGreaterThan(quantity(\"0\")); no such key: noSuchAttr",
                "device.attributes[\"dra.example.com\"].int.exists(x, x > 0); 'got ''types.Int'', expected iterable type'",
                "device.attributes[\"dra.example.com\"].name.exists(x, x == true); 'got ''types.Bool'', expected iterable type'",
                "device.attributes[\"dra.example.com\"].string.exists(x, x == \"fish\"); 'got ''types.String'', expected iterable type'",
                "device.attributes[\"dra.example.com\"].version.exists(x, x.isGreaterThan(semver(\"0.0.1\"))); 'got ''cel.Semver'', expected iterable type'",
                "device.attributes[\"dra.example.com\"].list; CEL result of type list could not be converted to bool",
                "device.attributes[\"dra.example.com\"].int / 0 == 1; division by zero",
                "quantity(\"one\").isLessThan(quantity(\"2\")); 'quantities must match the regular expression'",
                "semver(\"1.0\").major() == 1; No Major.Minor.Patch elements found",
            })
    void saysWhyThereIsNoAnswer(String expression, String message) {
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> matches(expression))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "?!; 'ERROR: <input>:1:1: Syntax error'",
                "1; 'must evaluate to bool or the unknown type, not int'",
                "nothing == 1; 'ERROR: <input>:1:1: undeclared reference to ''nothing'' (in container '''')'",
                "device.nothing == 1; 'ERROR: <input>:1:7: undefined field ''nothing'''",
                "1 == \"1\"; 'ERROR: <input>:1:3: found no matching overload for ''_==_'' applied to ''(int, string)'''",
                "device.driver.nothing(); 'ERROR: <input>:1:22: undeclared reference to ''nothing'' (in container '''')'",
                "device.driver.matches(\"(\"); invalid matches argument",
            })
    void saysWhatIsWrongWithAnExpression(String expression, String message) {
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> compile(expression))
                .withMessageContaining(message);
    }

    @Test
    void marksThePlaceInItsLine() {
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> compile("true &&\n  nothing"))
                .withMessage("""
                        ERROR: <input>:2:3: undeclared reference to 'nothing' (in container '')
                         |   nothing
                         | ..^""");
    }

    @Test
    void aLongListOfValuesIncludesNothingMore() {
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < 49; i++) {
            many.add("value-" + i);
        }
        Object device = device(Map.of("list", many), Map.of());
        CelProgram program = compile("device.attributes['dra.example.com'].list.includes('value-48')");
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> program.matches(CelProgram.SELECTOR_LIMIT, _ -> {}, device))
                .withMessage("'includes' function cannot be applied to lists longer than 48 values");
    }

    @Test
    void anExpensiveSelectorIsEnded() {
        String list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
        StringBuilder expression = new StringBuilder("int('1'.find('[0-9]*')) < 100");
        for (String variable : List.of("a", "b", "c", "d", "e", "f", "g")) {
            expression.insert(0, list + ".all(" + variable + ", ").append(')');
        }
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> matches(expression.toString()))
                .withMessage("operation cancelled: actual cost limit exceeded");
        // and no operator hides it
        assertThatExceptionOfType(CelProblem.class).isThrownBy(() -> matches(expression + " || true"));
    }

    /** The reference's own tests of cost, without those of messages. Its constants are made at each evaluation there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "input['key']; 2",
                "input['ke' + 'y']; 3",
                "has(input.key); 1",
                "has(input.a.b); 2",
                "[1, 2, 3].all(x, true); 10",
                "'123'.matches('[0-9]'); 2",
                "1 in [1, 2, 3]; 0",
                "true ? 1 : 2; 0",
                "'12345678901234567890' == '123456789012345678901234567890'; 2",
                "(x > 2 ? list : list).all(y, true); 6",
                "(x > 2 ? input : input).a.b; 4",
                "false ? false : 1 > 3; 1",
                "(1 > 2 ? 5 : 3) > 1; 2",
                "(1 > 2 || 2 > 1) == true; 3",
                "[1,2,3,4,5].filter(x, x % 2 == 0); 42",
                "[1,2,3,4,5].map(x, x); 66",
                "[1,2,3,4,5].map(x, x).map(x, x); 132",
                "[1,2,3,4,5].map(x, [x, x]).filter(z, z.size() == 2); 202",
            })
    void countsAsTheReference(String expression, long cost) {
        Map<String, CelType> variables = new HashMap<>();
        Map<String, Object> values =
                Map.of("input", Map.of("key", "v", "a", Map.of("b", 1L)), "x", 1L, "list", List.of(1L));
        variables.put("input", CelType.DYN);
        variables.put("x", CelType.INT);
        variables.put("list", CelType.list(CelType.INT));
        assertThat(CelProgram.compile(expression, variables)
                        .cost(variables.keySet().stream().map(values::get).toArray()))
                .isEqualTo(cost);
    }

    /** In capitals what was renamed: n for names, i for what stands in brackets, t for texts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            device.driver == 'gpu.acme.com' | device . driver == "t:GPU.ACME.COM"
            device.attributes["acme.com"].model in ['a', r'b'] // of acme | device . attributes [ "i:ACME.COM" ] . n_MODEL in [ "t:A" , "t:B" ]
            'model' in device.attributes['acme.com'] && !(1 > 2u) | "t:MODEL" in device . attributes [ "i:ACME.COM" ] && ! ( 1 > 2u )
            device.attributes['a'].v.isGreaterThan(semver("1.2.3")) | device . attributes [ "i:A" ] . n_V . isGreaterThan ( semver ( "semver:1.2.3" ) )
            cel.bind(acme, device.attributes[?"a"], acme.?model.orValue('x') == "y") | cel . bind ( n_ACME , device . attributes [ ? "i:A" ] , n_ACME . ? n_MODEL . orValue ( "orValue:X" ) == "t:Y" )
            device.attributes["a"].driver == string(1) && device.attributes['a'].all(k, k.matches('^a')) | device . attributes [ "i:A" ] . n_DRIVER == string ( 1 ) && device . attributes [ "i:A" ] . all ( n_K , n_K . matches ( "matches:^A" ) )
            """)
    void aSelectorCanHaveOtherNamesInIt(String selector, String renamed) {
        assertThat(DeviceSelector.renamed(selector, new DeviceSelector.Renaming() {
                    @Override
                    public String name(String name) {
                        return "n_" + name.toUpperCase(Locale.ROOT);
                    }

                    @Override
                    public String index(String text) {
                        return "i:" + text.toUpperCase(Locale.ROOT);
                    }

                    @Override
                    public String text(String text, String function) {
                        return (function.isEmpty() ? "t" : function) + ":" + text.toUpperCase(Locale.ROOT);
                    }
                }))
                .isEqualTo(renamed);
    }

    @Test
    void whatDoesNotCompileIsNoSelector() {
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> DeviceSelector.compile("acme", true))
                .withMessageStartingWith("compilation failed: ERROR: <input>:1:1: undeclared reference to 'acme'");
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> DeviceSelector.compile("device.allowMultipleAllocations", false))
                .withMessageContaining("undefined field");
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> DeviceSelector.compile("1", true))
                .withMessage("must evaluate to bool or the unknown type, not int");
    }
}
