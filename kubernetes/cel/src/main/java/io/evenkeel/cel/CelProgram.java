package io.evenkeel.cel;

import java.util.Map;
import java.util.function.LongConsumer;

/** A compiled expression. It keeps nothing of an evaluation, so that any thread may use it. */
public final class CelProgram {
    /** The highest cost of one evaluation of a device selector, as Kubernetes counts. */
    public static final long SELECTOR_LIMIT = 1_000_000;

    /**
     * A dialect of CEL.
     *
     * @param checked whether types are checked before the evaluation
     * @param macros whether there are comprehensions
     * @param mixed whether a list or map may hold values of different types
     */
    record Language(boolean checked, boolean macros, boolean mixed) {
        static final Language KUBERNETES = new Language(true, true, false);
    }

    private final CelType type;
    private final Compiler.Code code;
    private final int variables;
    private final int slots;

    private CelProgram(Compiler compiler, Compiler.Typed typed, int variables) {
        this.type = typed.type();
        this.code = typed.code();
        this.variables = variables;
        this.slots = compiler.slots();
    }

    /**
     * Compiles an expression.
     *
     * @param variables the types of its variables; their order is that of the values of an evaluation
     * @throws CelProblem which says what is wrong with it, and where
     */
    public static CelProgram compile(String expression, Map<String, CelType> variables) {
        return compile(expression, variables, Language.KUBERNETES);
    }

    static CelProgram compile(String expression, Map<String, CelType> variables, Language language) {
        Compiler compiler = new Compiler(expression, variables, language);
        return new CelProgram(
                compiler, compiler.compile(Parser.parse(expression, language.macros())), variables.size());
    }

    /**
     * Compiles an expression that answers yes or no.
     *
     * @throws CelProblem also where its type cannot be bool
     */
    public static CelProgram compileCondition(String expression, Map<String, CelType> variables) {
        CelProgram program = compile(expression, variables);
        if (!program.type.equals(CelType.BOOL) && !program.type.isDyn()) {
            throw new CelProblem("must evaluate to bool or the unknown type, not " + program.type);
        }
        return program;
    }

    CelType type() {
        return type;
    }

    /**
     * The value of the expression.
     *
     * @throws CelProblem where it has none, or costs more than the limit
     */
    public Object evaluate(long limit, Object... values) {
        return run(new Frame(slots, limit), values);
    }

    /**
     * Whether the condition holds.
     *
     * @param spent is told in any case what the evaluation took: its cost, and the work beside
     */
    public boolean matches(long limit, LongConsumer spent, Object... values) {
        Frame frame = new Frame(slots, limit);
        Object value;
        try {
            value = run(frame, values);
        } finally {
            spent.accept(frame.spent());
        }
        if (value instanceof Boolean truth) {
            return truth;
        }
        String name = Values.type(value).name();
        throw new CelProblem("CEL result of type " + name
                + " could not be converted to bool: type conversion error from '" + name + "' to 'bool'");
    }

    /** The cost of an evaluation. */
    long cost(Object... values) {
        Frame frame = new Frame(slots, SELECTOR_LIMIT);
        try {
            run(frame, values);
        } catch (CelProblem _) {
            // it cost something all the same
        }
        return frame.cost();
    }

    private Object run(Frame frame, Object... values) {
        if (values.length != variables) {
            throw new IllegalArgumentException(values.length + " values for " + variables + " variables");
        }
        System.arraycopy(values, 0, frame.slots, 0, values.length);
        try {
            return code.run(frame);
        } catch (StackOverflowError _) {
            // values of an expression may nest deeper than it does
            throw CelProblem.tooMuchWork();
        }
    }
}
