package io.evenkeel.hollow.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.model.json.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatchTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            strategic-merge merges conditions by type | {"conditions":[{"type":"A","status":"True"}]} | {"conditions":[{"type":"B","status":"False"},{"type":"A","reason":"r"}]} | {"conditions":[{"type":"A","status":"True","reason":"r"},{"type":"B","status":"False"}]}
            strategic-merge deletes by key | {"containers":[{"name":"a"},{"name":"b"}]} | {"containers":[{"$patch":"delete","name":"a"}]} | {"containers":[{"name":"b"}]}
            strategic-merge replaces a list | {"containers":[{"name":"a"},{"name":"b"}]} | {"containers":[{"name":"c"},{"$patch":"replace"}]} | {"containers":[{"name":"c"}]}
            strategic-merge replaces a map | {"spec":{"a":1,"b":2}} | {"spec":{"$patch":"replace","c":3}} | {"spec":{"c":3}}
            strategic-merge deletes a map | {"spec":{"a":1},"x":1} | {"spec":{"$patch":"delete"}} | {"x":1}
            strategic-merge replaces taints as a whole | {"taints":[{"key":"a"}]} | {"taints":[{"key":"b"}]} | {"taints":[{"key":"b"}]}
            strategic-merge merges finalizers as a set | {"finalizers":["a"]} | {"finalizers":["a","b"]} | {"finalizers":["a","b"]}
            strategic-merge deletes values | {"finalizers":["a","b"]} | {"$deleteFromPrimitiveList/finalizers":["a"]} | {"finalizers":["b"]}
            strategic-merge orders | {"env":[{"name":"b"},{"name":"a"}]} | {"$setElementOrder/env":[{"name":"a"},{"name":"b"}]} | {"env":[{"name":"a"},{"name":"b"}]}
            strategic-merge retains keys | {"strategy":{"type":"R","rollingUpdate":{}}} | {"strategy":{"$retainKeys":["type"],"type":"X"}} | {"strategy":{"type":"X"}}
            strategic-merge removes null | {"a":1,"b":2} | {"a":null} | {"b":2}
            merge merges and removes | {"a":{"b":1,"c":2},"d":[1]} | {"a":{"b":null},"d":[2]} | {"a":{"c":2},"d":[2]}
            json-patch adds and removes | {"a":[1,2],"b":1} | [{"op":"add","path":"/a/1","value":9},{"op":"remove","path":"/b"},{"op":"add","path":"/a/-","value":3}] | {"a":[1,9,2,3]}
            json-patch copies, moves and tests | {"a":{"x~/y":1}} | [{"op":"test","path":"/a/x~0~1y","value":1},{"op":"copy","from":"/a","path":"/b"},{"op":"move","from":"/a/x~0~1y","path":"/c"}] | {"a":{},"b":{"x~/y":1},"c":1}
            json-patch replaces what there is | {"a":[1,2],"b":1} | [{"op":"replace","path":"/a/1","value":9},{"op":"replace","path":"/b","value":3}] | {"a":[1,9],"b":3}
            json-patch replaces a member that is not there | {"a":{}} | [{"op":"replace","path":"/a/b","value":true}] | {"a":{"b":true}}
            json-patch finds null where nothing is | {} | [{"op":"test","path":"/a","value":null},{"op":"add","path":"/b","value":1}] | {"b":1}
            """)
    void patches(String what, String before, String patch, String after) {
        String kind = what.substring(0, what.indexOf(' '));
        String mediaType = "application/" + (kind.equals("json-patch") ? kind : kind + "-patch") + "+json";

        assertThat(Patch.read(mediaType, patch).applyTo(Trees.parse(before))).isEqualTo(JsonParser.parseString(after));
    }

    @Test
    void aFailedTestRejectsTheWholePatch() {
        Patch patch = Patch.read("application/json-patch+json", "[{\"op\":\"test\",\"path\":\"/a\",\"value\":2}]");

        assertThatThrownBy(() -> patch.applyTo(Trees.parse("{\"a\":1}")))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.code()).isEqualTo(422));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\":\"replace\",\"path\":\"/none/b\",\"value\":1}",
                "{\"op\":\"replace\",\"path\":\"/a/2\",\"value\":1}",
                "{\"op\":\"replace\",\"path\":\"/a/-\",\"value\":1}",
                "{\"op\":\"remove\",\"path\":\"/none\"}",
                "{\"op\":\"move\",\"from\":\"/none\",\"path\":\"/b\"}",
                "{\"op\":\"test\",\"path\":\"/none/b\",\"value\":null}"
            })
    void operationsThatNeedWhatIsNotThereAreRejected(String operation) {
        Patch patch = Patch.read("application/json-patch+json", "[" + operation + "]");

        assertThatThrownBy(() -> patch.applyTo(Trees.parse("{\"a\":[1,2]}")))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.code()).isEqualTo(422));
    }

    @Test
    void serverSideApplyIsNotOffered() {
        assertThatThrownBy(() -> Patch.read("application/apply-patch+yaml", "{}"))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.code()).isEqualTo(415));
    }
}
