package io.evenkeel.cel;

import java.util.HashMap;
import java.util.Map;

/** Selectors of devices as Kubernetes has them: conditions about the variable {@code device}. */
public final class DeviceSelector {
    private DeviceSelector() {}

    /**
     * Compiles a selector.
     *
     * @param sharing whether it can ask if several claims may have a device
     * @throws CelProblem which says what is wrong with it, as an API server does
     */
    public static CelProgram compile(String expression, boolean sharing) {
        try {
            return CelProgram.compileCondition(expression, variables(sharing));
        } catch (CelProblem wrong) {
            String message = String.valueOf(wrong.getMessage());
            throw new CelProblem(message.startsWith("must evaluate") ? message : "compilation failed: " + message);
        }
    }

    /**
     * The selector with other names and texts in it, without blanks and comments; the language's own words and numbers stay.
     *
     * @throws CelProblem if it does not compile, with its own names or with these
     */
    public static String renamed(String expression, Renaming names) {
        compile(expression, true);
        String renamed = Parser.renamed(expression, variables(true), names);
        compile(renamed, true);
        return renamed;
    }

    private static Map<String, CelType> variables(boolean sharing) {
        Map<String, CelType> fields = new HashMap<>();
        fields.put("driver", CelType.STRING);
        fields.put("attributes", CelType.map(CelType.STRING, CelType.map(CelType.STRING, CelType.DYN)));
        fields.put("capacity", CelType.map(CelType.STRING, CelType.map(CelType.STRING, CelType.QUANTITY)));
        if (sharing) {
            fields.put("allowMultipleAllocations", CelType.BOOL);
        }
        return Map.of("device", CelType.object("kubernetes.DRADevice", fields));
    }

    /** Names in the place of names. */
    public interface Renaming {
        /** Of a variable, or of an entry behind a dot. */
        String name(String name);

        /** Of a text in brackets, as that of a domain. */
        String index(String text);

        /**
         * Of any other text.
         *
         * @param function that it is the first argument of; empty for none
         */
        String text(String text, String function);
    }
}
