package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.model.decode.cursor.ObjectReadException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectReadErrorTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'priority':'two'}                          | spec.priority: expected an integer, got "two"
        {'priority':1.5}                            | spec.priority: expected an integer, got 1.5
        {'priority':4294967296}                     | spec.priority: expected an integer of 32 bits, got 4294967296
        {'hostNetwork':'yes'}                       | spec.hostNetwork: expected true or false, got "yes"
        {'nodeName':7}                              | spec.nodeName: expected a string, got 7
        {'containers':{}}                           | spec.containers: expected a list, got an object
        {'containers':['a']}                        | spec.containers[0]: expected an object, got "a"
        {'overhead':{'cpu':'abc'}}                  | spec.overhead.cpu: "abc" is not a quantity
        {'overhead':{'cpu':[]}}                     | spec.overhead.cpu: expected a quantity, got a list
        {'preemptionPolicy':'Always'}               | spec.preemptionPolicy: expected one of Never, PreemptLowerPriority, got "Always"
        {'tolerations':[{},{'operator':'Equals'}]}  | spec.tolerations[1].operator: expected one of Equal, Exists, Gt, Lt, got "Equals"
        {'tolerations':[{'effect':'Never'}]}        | spec.tolerations[0].effect: expected one of NoExecute, NoSchedule, PreferNoSchedule, got "Never"
        {'topologySpreadConstraints':[{}]}          | spec.topologySpreadConstraints[0].topologyKey: missing
        """)
    void namesTheObjectAndTheField(String spec, String problem) {
        expect(
                "{'kind':'Pod','metadata':{'namespace':'default','name':'web-1'},'spec':" + spec + "}",
                "Pod default/web-1: " + problem);
        expect(
                "{'spec':" + spec + ",'metadata':{'namespace':'default','name':'web-1'},'kind':'Pod'}",
                "Pod default/web-1: " + problem);
    }

    @Test
    void aTimeIsOneOfRfc3339() {
        expect(
                "{'kind':'Node','metadata':{'name':'n','deletionTimestamp':'soon'}}",
                "Node n: metadata.deletionTimestamp: expected a time as RFC 3339 has it, got \"soon\"");
    }

    /** A line of a log, or of a file of problems, is one line; and of a megabyte it shows the beginning. */
    @Test
    void whatCameFromOutsideEndsNoLineAndFillsNone() {
        expect(
                "{'kind':'Node','metadata':{'name':'n\\nERROR all is lost\\u2028'},'spec':{'taints':7}}",
                "Node n\\nERROR all is lost\\u2028: spec.taints: expected a list, got 7");
        expect(
                "{'kind':'Pod','metadata':{'name':'p'},'spec':{'priority':'a\\u0007\\nb'}}",
                "Pod default/p: spec.priority: expected an integer, got \"a\\u0007\\nb\"");
        expect(
                "{'kind':'Pod','metadata':{'name':'" + "x".repeat(101) + "'},'spec':{'overhead':{'c\\np':'"
                        + "y".repeat(1_000_000) + "'}}}",
                "Pod default/" + "x".repeat(92) + "…: spec.overhead.c\\np: \"" + "y".repeat(100)
                        + "…\" is not a quantity");
    }

    @Test
    void countsThePathFromTheObjectAndNotFromTheListAroundIt() {
        expect(
                "{'kind':'NodeList','items':[{'metadata':{'name':'n'}},{'metadata':{'name':'m'},"
                        + "'spec':{'taints':[{'effect':'None'}]}}]}",
                "Node m: spec.taints[0].effect: expected one of NoExecute, NoSchedule, PreferNoSchedule, got \"None\"");
    }

    @Test
    void namesAsMuchOfTheObjectAsIsKnown() {
        expect("{'kind':'Pod','spec':{'priority':'x'}}", "Pod: spec.priority: expected an integer, got \"x\"");
        expect("{'metadata':{'name':'x'}}", "object x: kind: missing");
        expect("{'kind':'Pod'}", "Pod: metadata.name: missing");
        expect("{'kind':'PodList','items':[{'kind':'Node'}]}", "Node: kind: expected Pod, got Node");
        expect("{'kind':'List','items':[3]}", "List: items[0]: expected an object, got 3");
    }

    /** What was read as a field of the one cannot be one of the other. */
    @Test
    void whatSaysTwoKindsIsOfNeither() {
        expect(
                "{'kind':'Pod','spec':{'nodeName':'n'},'kind':'Node','metadata':{'name':'a'}}",
                "Node: kind: said twice, before that Pod");
    }

    @Test
    void malformedJsonIsOneLineWithItsPlace() {
        expect(
                "{'kind':'Pod',\n 'metadata':{,}}",
                "JSON, line 2, column 14: Unexpected character (',' (code 44)): was expecting double-quote to start "
                        + "field name");
        expect("{'kind':'Pod'", "JSON, line 1, column 14: Unexpected end-of-input: expected close marker for Object");
        expect(
                "{'kind':" + "x\u0080".repeat(200) + "}",
                "JSON, line 1, column 9: Unrecognized token '" + "x\\u0080".repeat(90) + "…");
    }

    @Test
    void oneObjectIsOneObject() {
        expect("", "expected one object, got 0");
        expect("[]", "expected an object, got a list");
        expect("{'kind':'List','items':[]}", "expected one object, got 0");
    }

    private static void expect(String json, String message) {
        assertThatExceptionOfType(ObjectReadException.class)
                .isThrownBy(() -> new ObjectReader().read(json.replace('\'', '"')))
                .withMessage(message);
    }
}
