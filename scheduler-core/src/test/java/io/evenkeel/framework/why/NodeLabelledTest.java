package io.evenkeel.framework.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.model.value.NameForm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeLabelledTest {
    private static final String OF_63 = "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk";

    @ParameterizedTest
    @ValueSource(strings = {"zone", "example.com/rack_1.a", OF_63, "example.com/" + OF_63})
    void aLabelOfItsOwnIsOneThatANodeCanHave(String key) {
        assertThat(NodeLabelled.anew("node", key).value()).startsWith("new").matches(NameForm::isLabelValue);
    }
}
