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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'maxPods':0                                                          | maxPods: must be from 1 to 2147483647, got 0
            'maxPercent':101                                                     | maxPercent: must be from 1 to 100, got 101
            'maxDomains':-1                                                      | maxDomains: must be from 1 to 2147483647, got -1
            'maxSkew':0                                                          | maxSkew: must be from 1 to 2147483647, got 0
            'maxSkew':1,'relaxAfterSeconds':0                                    | relaxAfterSeconds: must be from 1 to 2147483647, got 0
            'maxSkew':1,'rememberDomainsSeconds':0                               | rememberDomainsSeconds: must be from 1 to 2147483647, got 0
            'mustUse':['a','b','a']                                              | mustUse: has a twice
            'maxSkew':1,'knownDomains':['a','a']                                 | knownDomains: has a twice
            'maxSkew':1,'matchLabelKeys':['a','a']                               | matchLabelKeys: has a twice
            'weights':[{'domain':'a','weight':1},{'domain':'a','weight':2}]      | weights: has a twice
            'weights':[{'domain':'a','weight':-1}]                               | weights: must be from 0 to 1000000, got -1 of a
            'weights':[{'domain':'a','weight':1000001}]                          | weights: must be from 0 to 1000000, got 1000001 of a
            'weights':[{'domain':'a','weight':0}]                                | weights: are all 0
            'maxDomains':1,'mustUse':['a','b']                                   | mustUse: has 2 domains, maxDomains is 1
            'maxPods':1,'maxSkew':1,'whenUnsatisfiable':'ScheduleAnyway'         | whenUnsatisfiable: may be ScheduleAnyway of maxSkew alone
            'maxSkew':1,'relaxAfterSeconds':9,'whenUnsatisfiable':'ScheduleAnyway' | relaxAfterSeconds: is for what is not ScheduleAnyway
            'maxPods':1,'relaxAfterSeconds':9                                    | relaxAfterSeconds: is for maxSkew
            'maxPods':1,'rememberDomainsSeconds':9                               | rememberDomainsSeconds: is for maxSkew
            'maxPods':1,'knownDomains':['a']                                     | knownDomains: is for maxSkew
            """)
    void aRulesNumbersAndTermsFitOneAnother(String rule, String fault) {
        assertThat(PolicyFaults.in(withRules("{'topologyKey':'zone'," + rule + "}", 1)))
                .contains("spec.rules[0]." + fault);
    }

    @Test
    void theLeastAndTheMostOfANumberAreNoFault() {
        assertThat(PolicyFaults.in(withRules(
                        "{'topologyKey':'zone','maxPods':1,'maxPercent':100,'maxDomains':2,'mustUse':['a','b'],'maxSkew':1,"
                                + "'weights':[{'domain':'a','weight':0},{'domain':'b','weight':1000000}]}",
                        1)))
                .isEmpty();
        assertThat(PolicyFaults.in(
                        withRules("{'topologyKey':'zone','maxSkew':1,'whenUnsatisfiable':'ScheduleAnyway'}", 1)))
                .isEmpty();
        assertThat(PolicyFaults.in(read("{'selector':{},'rules':[]}"))).contains("spec.rules: must have at least one");
        assertThat(PolicyFaults.in(withRules("{'topologyKey':'zone'}", 1))).contains("spec.rules[0]: limits nothing");
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
