package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.LabelSelector;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFaultsTest {
    private static final String OF_63 = "a".repeat(63);
    private static final String KEY =
            "must be the key of a label, such as \"name\" or \"example.com/name\" with 63 characters at most behind the"
                    + " slash, got ";
    private static final String VALUES =
            "must be values of a label, such as \"my-value_1.0\" with 63 characters at most, got ";

    private static PlacementPolicy read(String spec) {
        return (PlacementPolicy) new ObjectReader().read("""
            {'apiVersion':'evenkeel.io/v1alpha1','kind':'PlacementPolicy','metadata':{'namespace':'shop','name':'web'},
             'spec':%s}""".formatted(spec).replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'selector':{}",
                "'selector':{'matchLabels':{'app':''}}",
                "'selector':{'matchLabels':{'example.com/App_1.x':'My-value_1.0'}}",
                "'selector':{'matchExpressions':[{'key':'app','operator':'Exists','values':[]}]}",
                "'selector':{'matchExpressions':[{'key':'app','operator':'NotIn','values':['a','']}]}",
                "'selector':{},'namespaceSelector':{}"
            })
    void whatLabelsCanBeIsNoFault(String selector) {
        assertThat(PolicyFaults.in(read(
                        "{" + selector + ",'rules':[{'topologyKey':'example.com/zone','maxSkew':1,'mustUse':['a_b'],"
                                + "'knownDomains':['" + OF_63 + "'],'weights':[{'domain':'1','weight':1}],"
                                + "'matchLabelKeys':['" + OF_63 + "']}]}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'matchLabels':{'x/y/z':'a'}                                      | "x/y/z"
            'matchLabels':{'/a':'a'}                                         | "/a"
            'matchLabels':{'a b':'a'}                                        | "a b"
            'matchLabels':{'':'a'}                                           | ""
            'matchExpressions':[{'key':'-a','operator':'Exists'}]            | "-a"
            'matchExpressions':[{'key':'A/b','operator':'DoesNotExist'}]     | "A/b"
            'matchExpressions':[{'operator':'DoesNotExist'}]                 | ""
            """)
    void aSelectorsKeyIsThatOfALabel(String selector, String key) {
        assertThat(PolicyFaults.in(selecting(selector))).contains("spec.selector: " + KEY + key);
        assertThat(PolicyFaults.in(counting(selector))).contains("spec.namespaceSelector: " + KEY + key);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'matchLabels':{'app':'a b'}                                              | "a b"
            'matchLabels':{'app':'a/b'}                                              | "a/b"
            'matchExpressions':[{'key':'a','operator':'In','values':['b','-c']}]     | "-c"
            'matchExpressions':[{'key':'a','operator':'NotIn','values':['b','c.']}]  | "c."
            """)
    void aSelectorsValuesAreThoseOfLabels(String selector, String value) {
        assertThat(PolicyFaults.in(selecting(selector))).contains("spec.selector: " + VALUES + value);
        assertThat(PolicyFaults.in(counting(selector))).contains("spec.namespaceSelector: " + VALUES + value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'operator':'In'                          | In of app needs values
            'operator':'NotIn','values':[]           | NotIn of app needs values
            'operator':'Exists','values':['a']       | Exists of app takes no values
            'operator':'DoesNotExist','values':['a'] | DoesNotExist of app takes no values
            """)
    void operatorsTakeValuesOrDoNot(String expression, String fault) {
        assertThat(PolicyFaults.in(selecting("'matchExpressions':[{'key':'app'," + expression + "}]")))
                .contains("spec.selector: " + fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'topologyKey':'a b','maxPods':1                                            | topologyKey    | "a b"
            'topologyKey':'zone/','maxPods':1                                          | topologyKey    | "zone/"
            'topologyKey':'zone','maxPods':1,'matchLabelKeys':['a','x/y/z']            | matchLabelKeys | "x/y/z"
            'topologyKey':'zone','maxPods':1,'matchLabelKeys':['']                     | matchLabelKeys | ""
            """)
    void aRulesKeysAreThoseOfLabels(String rule, String field, String key) {
        assertThat(PolicyFaults.in(read("{'selector':{},'rules':[{'topologyKey':'zone','maxPods':1},{" + rule + "}]}")))
                .contains("spec.rules[1]." + field + ": " + KEY + key);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'mustUse':['a','b c']                                     | mustUse      | "b c"
            'maxSkew':1,'knownDomains':['_']                          | knownDomains | "_"
            'weights':[{'domain':'a','weight':1},{'domain':'b/c','weight':1}] | weights | "b/c"
            """)
    void aRulesDomainsAreValuesOfLabels(String rule, String field, String domain) {
        assertThat(PolicyFaults.in(read("{'selector':{},'rules':[{'topologyKey':'zone'," + rule + "}]}")))
                .contains("spec.rules[0]." + field + ": " + VALUES + domain);
    }

    /** As the definition has it. */
    @Test
    void rulesAndDomainsAreNotMoreThanTheDefinitionTakes() {
        String rule = "{'topologyKey':'zone','maxSkew':1}";
        assertThat(PolicyFaults.in(withRules(rule, 16))).isEmpty();
        assertThat(PolicyFaults.in(withRules(rule, 17))).contains("spec.rules: must have 16 at most, got 17");

        String keys = "{'topologyKey':'zone','maxSkew':1,'matchLabelKeys':[%s]}";
        String known = "{'topologyKey':'zone','maxSkew':1,'knownDomains':[%s]}";
        String mustUse = "{'topologyKey':'zone','mustUse':[%s]}";
        String weights = "{'topologyKey':'zone','weights':[%s]}";
        holdsUpTo(16, "matchLabelKeys", keys, "'a%d'");
        holdsUpTo(100, "knownDomains", known, "'a%d'");
        holdsUpTo(100, "mustUse", mustUse, "'a%d'");
        holdsUpTo(100, "weights", weights, "{'domain':'a%d','weight':1}");
    }

    private static void holdsUpTo(int most, String field, String rule, String element) {
        assertThat(PolicyFaults.in(withRules(rule.formatted(many(element, most)), 1)))
                .isEmpty();
        assertThat(PolicyFaults.in(withRules(rule.formatted(many(element, most + 1)), 1)))
                .contains("spec.rules[0]." + field + ": must have " + most + " at most, got " + (most + 1));
    }

    private static String many(String element, int times) {
        return IntStream.range(0, times).mapToObj(element::formatted).collect(Collectors.joining(","));
    }

    private static PlacementPolicy withRules(String rule, int times) {
        return read("{'selector':{},'rules':[" + String.join(",", Collections.nCopies(times, rule)) + "]}");
    }

    /** Whoever has written it, a line stays a line. */
    @Test
    void whatIsLongIsNotSaidWhole() {
        assertThat(PolicyFaults.in(
                        read("{'selector':{},'rules':[{'topologyKey':'" + "a".repeat(9_999) + "','maxPods':1}]}")))
                .contains("spec.rules[0].topologyKey: " + KEY + '"' + "a".repeat(100) + "…\"");
    }

    @Test
    void itSaysWhichPodsAndNamespacesItIsAbout() {
        List<PolicyRule> rules = List.of(PolicyRule.over("zone").withMaxPods(1));
        PolicySpec all = PolicySpec.of(LabelSelector.EVERYTHING, rules);
        PolicySpec none = PolicySpec.of(LabelSelector.NOTHING, rules);

        assertThat(PolicyFaults.in(new PlacementPolicy(ObjectMeta.named("shop", "web"), all)))
                .isEmpty();
        assertThat(PolicyFaults.in(new PlacementPolicy(ObjectMeta.named("shop", "web"), none)))
                .contains("spec.selector: is required");
        ObjectMeta meta = ObjectMeta.named("", "web");
        assertThat(PolicyFaults.in(new ClusterPlacementPolicy(meta, all)))
                .contains("spec.namespaceSelector: is required");
        assertThat(PolicyFaults.in(new ClusterPlacementPolicy(meta, all.over(LabelSelector.EVERYTHING))))
                .isEmpty();
    }

    private static PlacementPolicy selecting(String selector) {
        return read("{'selector':{" + selector + "},'rules':[{'topologyKey':'zone','maxPods':1}]}");
    }

    private static PlacementPolicy counting(String selector) {
        return read(
                "{'selector':{},'namespaceSelector':{" + selector + "},'rules':[{'topologyKey':'zone','maxPods':1}]}");
    }
}
