package io.evenkeel.whatif.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.why.ExplainingPlugin;
import org.junit.jupiter.api.Test;

class FallibleExplanationsTest {
    /** The default of a question would else be the answer, whatever the plugin says. */
    @Test
    void everyQuestionIsHandedOnToThePlugin() {
        assertThat(ExplainingPlugin.class.getMethods())
                .allSatisfy(question -> assertThat(FallibleExplanations.class
                                .getMethod(question.getName(), question.getParameterTypes())
                                .getDeclaringClass())
                        .as(question.getName())
                        .isEqualTo(FallibleExplanations.class));
    }
}
