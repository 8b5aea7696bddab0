package io.evenkeel.lab.bench;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.bench.Suite.Case;
import io.evenkeel.lab.bench.Suite.Case.Name;
import io.evenkeel.lab.bench.Suite.Row;
import io.evenkeel.plugins.InTreePlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SuiteTest {
    @Test
    void eachCaseIsToldAsSoonAsItIsMeasured() {
        List<Case> cases = List.of(
                Case.of(BenchCase.of(Workload.BASIC, 5, 20, 1)),
                Case.of(BenchCase.of(Workload.ANTI, 5, 20, 1).filledBy(2)),
                Case.of(new PerfCase(
                        PerfWorkload.find("SchedulingBasic").orElseThrow(), 10, 3, 1, InTreePlugins.registry())));
        List<Row> told = new ArrayList<>();

        List<Row> rows = Suite.measure(cases, new Bench(InTreePlugins.registry(), 0), told::add);

        assertThat(told).isEqualTo(rows);
        assertThat(rows)
                .extracting(Row::name)
                .containsExactly(
                        new Name("basic", 5, 0, 20),
                        new Name("anti", 5, 2, 20),
                        new Name("perf:SchedulingBasic", 10, 0, 3));
        assertThat(rows).extracting(row -> row.figures().placed()).containsExactly(20, 20, 3);
    }

    @ParameterizedTest
    @EnumSource
    void noTwoCasesAreTakenForOneAndEachCanBeFilledAsItAsks(Suite kind) {
        List<Case> cases = kind.cases(InTreePlugins.registry(), 1);

        assertThat(cases).extracting(Case::name).doesNotHaveDuplicates();
        assertThat(cases)
                .extracting(Case::scenario)
                .filteredOn(BenchCase.class::isInstance)
                .hasSizeGreaterThan(20)
                .allSatisfy(scenario ->
                        assertThat(FillLimits.objection((BenchCase) scenario)).isEmpty());
        assertThat(cases).extracting(one -> one.scenario().seed()).containsOnly(1L);
    }

    @Test
    void eachWorkloadOfTheScaleIsMeasuredWithFourNumbersOfNodesAndFourOfPods() {
        Map<String, List<Name>> byWorkload = Suite.SCALE.cases(InTreePlugins.registry(), 1).stream()
                .map(Case::name)
                .collect(groupingBy(Name::workload));

        assertThat(byWorkload).hasSizeGreaterThan(3).allSatisfy((_, names) -> {
            assertThat(names)
                    .filteredOn(name -> name.pods() == 20_000)
                    .extracting(Name::nodes)
                    .containsExactly(1_000, 5_000, 20_000, 100_000);
            assertThat(names)
                    .filteredOn(name -> name.nodes() == 5_000)
                    .extracting(Name::pods)
                    .containsExactlyInAnyOrder(1_000, 5_000, 20_000, 100_000);
        });
    }
}
