package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** Forms that are made of the JSON of answers, as kubectl makes them of objects. */
class OutputFormTest {
    private static final String ANSWERS = """
            {"pod":"shop/web-1","alike":["shop/web-2"],"state":"waits","remedies":[{"kind":"taint"},{"kind":"node"}]}
            {"pod":"shop/db-0","state":"held","gang":{"needed":3}}
            """;

    private static String shown(String form) {
        return new OutputForm.Converter().convert(form).shown(ANSWERS);
    }

    @Test
    void namesEachPodOnALine() {
        assertThat(shown("name")).isEqualTo("pod/web-1\npod/web-2\npod/db-0");
    }

    @Test
    void fieldsStandInColumns() {
        assertThat(shown("custom-columns=POD:.pod,HELP:{.remedies[*].kind},FIRST:remedies[0].kind,NEEDS:.gang"))
                .isEqualTo("""
                        POD          HELP         FIRST    NEEDS
                        shop/web-1   taint,node   taint    <none>
                        shop/db-0    <none>       <none>   {"needed":3}""");
    }

    @Test
    void aColumnNeedsAPath() {
        for (String wrong :
                new String[] {"custom-columns=POD", "custom-columns=", "custom-columns=A:.b[x]", "columns"}) {
            assertThatThrownBy(() -> shown(wrong)).as(wrong).isInstanceOf(TypeConversionException.class);
        }
    }
}
