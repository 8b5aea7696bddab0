package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.serve.ObjectsOnWire.StepException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioQuestionsTest {
    private static final String CLUSTER = """
            "objects": [
              {"kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "2", "pods": "10"}}},
              {"kind": "Node", "metadata": {"name": "b"}, "status": {"allocatable": {"cpu": "2", "pods": "10"}}},
              {"kind": "Pod", "metadata": {"namespace": "shop", "name": "old"}, "spec": {"nodeName": "a",
               "containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]}}]""".replace("\n", " ");
    private static final String WEB = """
            {"metadata": {"namespace": "shop", "name": "web"},
             "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1500m"}}}]}}""";

    private final ScenarioQuestions questions =
            new ScenarioQuestions(InTreePlugins.registry(), FeatureGates.DEFAULTS, WhatIfLimits.USUAL);

    private String ask(String steps) {
        return questions.answer("{\"name\": \"s\", " + CLUSTER + ", \"questions\": [" + steps + "]}");
    }

    @Test
    void questionsStandBesideTheCluster() {
        assertThat(ask("""
                        {"canSchedulePod": {"pod": %s}},
                        {"preemptPods": {"names": ["shop/old"]}},
                        {"schedulePodsByTemplate": {"template": %s, "most": 3}}""".formatted(WEB, WEB))).isEqualTo("""
                        {"name":"s","results":[{"fitting":{"count":1,"nodes":["b"]}},{"done":{}},{"verdicts":{"verdicts":[\
                        {"pod":"shop/web-0","node":"a","message":""},{"pod":"shop/web-1","node":"b","message":""},\
                        {"pod":"shop/web-2","node":"","message":"0/2 nodes are available: 2 Insufficient cpu."}]}}]}""");
    }

    @Test
    void aPodIsDeletedAsItStandsOrByItsName() {
        String room = "{\"canSchedulePod\": {\"pod\": " + WEB + "}}";
        String free =
                "{\"name\":\"s\",\"results\":[{\"done\":{}},{\"fitting\":{\"count\":2,\"nodes\":[\"a\",\"b\"]}}]}";
        assertThat(ask("{\"delete\": {\"metadata\": {\"namespace\": \"shop\", \"name\": \"old\"}}}, " + room))
                .isEqualTo(free);
        assertThat(ask("{\"delete\": {\"kind\": \"Pod\", \"namespace\": \"shop\", \"name\": \"old\"}}, " + room))
                .isEqualTo(free);
    }

    @Test
    void whatCannotBeDoneEndsTheQuestions() {
        assertThat(ask("{\"delete\": {\"name\": \"old\"}}"))
                .isEqualTo("{\"name\":\"s\",\"results\":[{\"error\":\"the kind of what is deleted is missing\"}]}");
        assertThat(ask("{\"removeNode\": \"c\"}, {\"reset\": {}}"))
                .isEqualTo("{\"name\":\"s\",\"results\":[{\"error\":\"there is no node c\"}]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | questions: expected a list of steps",
                "{\"questions\": [{\"drain\": 1}]} | questions[0].drain: unknown field",
                "{\"questions\": [{\"reset\": {}}, {\"schedulePod\": {}}]} | questions[1].schedulePod: unknown field; did you mean \"schedulePods\"?",
                "{\"questions\": [{\"delete\": {\"meta\": {\"name\": \"a\"}}}]} | questions[0].delete.meta: unknown field",
                "{\"questions\": [{\"scores\": {\"pod\": {\"metadata\": {\"name\": \"a\"}}}}]} | questions[0].scores: expected an object with its metadata, or {\"pod\": \"namespace/name\"}, got {\"pod\":{\"metadata\":{\"name\":\"a\"}}}",
                "{\"questions\": [{\"put\": {\"spec\": {}}}]} | questions[0].put: expected an object with its metadata, or {\"pod\": \"namespace/name\"}, got {\"spec\":{}}",
                "{\"questions\": [{\"canSchedulePod\": {\"pod\": {}}}]} | questions[0].canSchedulePod.pod: expected an object with its metadata, or {\"pod\": \"namespace/name\"}, got {}",
                "{\"questions\": [7]} | questions[0]: expected an object, got 7",
                "{\"questions\": [{\"removeNode\": {\"name\": \"a\"}}]} | questions[0].removeNode: expected a string, got {\"name\":\"a\"}",
                "{\"questions\": [{\"schedulePods\": {\"pods\": {}}}]} | questions[0].schedulePods.pods: expected a list, got {}",
                "{\"questions\": [{\"schedulePods\": {\"options\": {\"dryRun\": 1}}}]} | questions[0].schedulePods.options.dryRun: expected true or false, got 1",
                "{\"questions\": [{\"drop\": -1}]} | questions[0].drop: expected a whole number, got -1",
                "{\"questions\": [{\"drop\": 9999999999}]} | questions[0]: cannot be read: {\"drop\":9999999999}",
                "{\"questions\": [], \"nodes\": []} | nodes: unknown field; objects of all kinds belong in \"objects\"",
                "[] | expected an object, got: []"
            })
    void whatMakesNoSenseIsSaidInALine(String scenario, String problem) {
        assertThatThrownBy(() -> questions.answer(scenario))
                .isInstanceOf(StepException.class)
                .hasMessage(problem);
    }
}
