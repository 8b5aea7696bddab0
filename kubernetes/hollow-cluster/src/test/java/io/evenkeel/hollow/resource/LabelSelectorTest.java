package io.evenkeel.hollow.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.model.json.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a=b|true",
                "a==b|true",
                "a=c|false",
                "a!=b|false",
                "x!=b|true",
                "a|true",
                "x|false",
                "!x|true",
                "!a|false",
                "a in (b,c)|true",
                "a in (c)|false",
                "a notin (b)|false",
                "x notin (b)|true",
                "n>4|true",
                "n<5|false",
                "a=b,n>4|true",
                "a=b,!n|false",
                "app.kubernetes.io/name=e|true",
                "empty=|true"
            })
    void selects(String selector, boolean expected) {
        var tree = Trees.parse(
                "{\"metadata\":{\"labels\":{\"a\":\"b\",\"n\":\"5\",\"app.kubernetes.io/name\":\"e\",\"empty\":\"\"}}}");

        assertThat(LabelSelector.parse(selector).matches(tree)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a in b", "a=b,", "=b", "a in (b", "n>x", "a b"})
    void refusesWhatItCannotRead(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector)).isInstanceOf(ApiException.class);
    }
}
