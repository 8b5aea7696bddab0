package io.evenkeel.app.replay;

import java.io.IOException;
import java.util.List;

/** How the answer to a scenario is written. */
public interface AnswerFormat {
    /** One line of JSON. */
    AnswerFormat JSON = new JsonAnswer();

    /** For people: nodes with their scores, the rest by what was said against them, in lines no longer than that. */
    static AnswerFormat text(int columns) {
        return new TextAnswer(columns);
    }

    String format(String scenario, List<Step> steps) throws IOException;
}
