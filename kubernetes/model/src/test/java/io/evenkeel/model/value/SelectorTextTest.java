package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            app=web                       | true  | app=web
            app==db                       | false | app=db
            app!=db                       | true  | app notin (db)
            tier in (a, b),app            | true  | app,tier in (a,b)
            tier notin (a),!gone          | false | !gone,tier notin (a)
            !app                          | false | !app
            example.com/x=                | true  | example.com/x=
            in in (in)                    | false | in=in
            """)
    void readsSelectorsAsTheyAreTyped(String typed, boolean isMatch, String written) {
        LabelSelector selector = SelectorText.parse(typed).orElseThrow();

        assertThat(selector.matches(Labels.of(Map.of("app", "web", "tier", "a", "example.com/x", ""))))
                .isEqualTo(isMatch);
        assertThat(SelectorText.of(selector)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a=b,",
                ",a",
                "a=b c",
                "a in",
                "a in b",
                "a in (b",
                "=b",
                "a=(b)",
                "a=b=c",
                "!",
                "a in (b c)"
            })
    void otherTextIsNone(String typed) {
        assertThat(SelectorText.parse(typed)).isEmpty();
    }

    /** One that is looked for at each letter would take hours. */
    @Test
    void longTextIsReadOnce() {
        String letters = "a".repeat(500_000);

        assertThat(SelectorText.parse(letters + "?")).isEmpty();
        assertThat(SelectorText.parse("a=" + letters + "?")).isEmpty();
        assertThat(SelectorText.parse("a" + " ".repeat(500_000) + "?")).isEmpty();
    }
}
