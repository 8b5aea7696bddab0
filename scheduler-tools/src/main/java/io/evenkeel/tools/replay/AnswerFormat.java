package io.evenkeel.tools.replay;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A format for the answer to a scenario. */
public interface AnswerFormat {
    /** One line of JSON. */
    AnswerFormat JSON = new JsonAnswer();

    /** For people: nodes with their scores, the rest by what was said against them, in lines no longer than that. */
    static AnswerFormat text(int columns) {
        return new TextAnswer(columns);
    }

    /**
     * The answer as text.
     *
     * @param groups the answers for groups by their names; none where the pods were placed one by one
     */
    String format(String scenario, List<Step> steps, Map<String, GroupAnswer> groups) throws IOException;
}
