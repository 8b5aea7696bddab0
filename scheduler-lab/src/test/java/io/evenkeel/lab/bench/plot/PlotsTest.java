package io.evenkeel.lab.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.lab.bench.plot.Drawing.Bar;
import io.evenkeel.lab.bench.plot.Drawing.Box;
import io.evenkeel.lab.bench.plot.Drawing.Dot;
import io.evenkeel.lab.bench.suite.CaseName;
import io.evenkeel.lab.bench.suite.StoredCase;
import io.evenkeel.lab.bench.suite.StoredSuite;
import io.evenkeel.lab.bench.suite.SuiteKind;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is seen in the drawings of a suite. */
class PlotsTest {
    /** Places are written in tenths. */
    private static final Offset<Double> ROUNDED = within(0.11);

    private static final String[] WORKLOADS = {
        "basic", "both-hard", "a<b>&\"c\"\u0000\uD800", "of-a-long-name-".repeat(6)
    };

    @Test
    void aCaseOfTheUsualSizeIsABarAndOthersArePointsOfLines() {
        List<Plot> plots =
                plots(suite("may", "basic 1000 100 3", "basic 5000 100 2", "anti 5000 100 1", "basic 5000 900 4"));

        assertThat(plots)
                .extracting(Plot::name)
                .containsExactly("may-by-workload.svg", "may-by-nodes.svg", "may-by-pods.svg");
        assertThat(drawing(plots, 0).bars("now"))
                .extracting(Bar::told)
                .containsExactly("basic: 2 pods a second", "anti: 1 pods a second");
        assertThat(drawing(plots, 0).texts()).contains("100 pods onto 5,000 nodes");
        assertThat(drawing(plots, 1).dots())
                .extracting(Dot::told)
                .containsExactly("basic, 1,000 nodes: 3 pods a second", "basic, 5,000 nodes: 2 pods a second");
        assertThat(drawing(plots, 1).texts()).contains("basic", "100 pods");
        assertThat(drawing(plots, 2).dots())
                .extracting(Dot::told)
                .containsExactly("basic, 100 pods: 2 pods a second", "basic, 900 pods: 4 pods a second");
        assertThat(drawing(plots, 2).texts()).contains("basic", "onto 5,000 nodes");
    }

    @Test
    void whatDiffersFromTheUsualSizeIsToldBesideTheWorkload() {
        List<Plot> plots = plots(new StoredSuite(
                "may",
                List.of(
                        one(new CaseName("basic", 5_000, 0, 100), 1),
                        one(new CaseName("anti", 5_000, 0, 100), 1),
                        one(new CaseName("basic", 5_000, 20, 100), 1),
                        one(new CaseName("perf:Basic", 1, 0, 1), 1))));

        assertThat(plots).hasSize(1);
        assertThat(drawing(plots, 0).texts())
                .contains(
                        "100 pods onto 5,000 nodes, unless said otherwise",
                        "filled with 20 pods a node",
                        "1 node, 1 pod");
    }

    @Test
    void aBaselineHasABarBelowEachThatItHasToo() {
        StoredSuite now = suite("may", "basic 5000 100 150000", "anti 5000 100 90000", "mixed 5000 100 80000");
        StoredSuite then = suite("april", "mixed 5000 100 160000", "basic 5000 100 50000", "gone 5000 100 1");

        Drawing drawing = drawing(Plots.of(now, Optional.of(then)), 0);

        List<Bar> bars = drawing.bars("now");
        List<Bar> before = drawing.bars("then");
        assertThat(before)
                .extracting(Bar::told)
                .containsExactly("basic: 50,000 pods a second", "mixed: 160,000 pods a second");
        assertThat(before.getFirst().top())
                .isEqualTo(bars.getFirst().top() + bars.getFirst().height() + 1, ROUNDED);
        assertThat(before.getLast().width()).isEqualTo(2 * bars.getLast().width(), ROUNDED);
        assertThat(drawing.texts())
                .contains("may", "april", "150,000 (× 3.00)", "90,000", "80,000 (× 0.50)", "pods a second");
    }

    @Test
    void whereOneIsManyTimesAnotherTheBarsAreLogarithmic() {
        Drawing drawing = drawing(plots(suite("may", "a 5 100 50", "b 5 100 500", "c 5 100 5000", "d 5 100 0")), 0);

        List<Bar> bars = drawing.bars("now");
        assertThat(drawing.texts()).contains("pods a second, logarithmic", "10", "100", "1,000");
        assertThat(bars.get(1).width() - bars.get(0).width())
                .isEqualTo(bars.get(2).width() - bars.get(1).width(), ROUNDED)
                .isPositive();
        assertThat(bars.get(0).width()).isPositive();
        assertThat(bars.get(3).width()).isZero();
    }

    @Test
    void equalRatiosOfNodesAreEquallyFarApart() {
        List<Dot> dots = drawing(plots(suite("may", "a 1000 7 800", "a 10000 7 400", "a 100000 7 200")), 1)
                .dots();

        assertThat(dots.get(1).x() - dots.get(0).x())
                .isEqualTo(dots.get(2).x() - dots.get(1).x(), ROUNDED);
        assertThat(dots.get(1).y() - dots.get(0).y())
                .isEqualTo(dots.get(2).y() - dots.get(1).y(), ROUNDED);
    }

    @Test
    void ticksAreRoundNumbersWithSeparators() {
        Stream<String> sizes = Stream.of("1000 7 90000", "5000 7 70000", "100000 7 30000");
        StoredSuite suite = suite("may", sizes.map(size -> "basic " + size).toArray(String[]::new));

        assertThat(drawing(plots(suite), 1).texts())
                .contains("1,000", "2,000", "5,000", "10,000", "20,000", "50,000", "100,000");
    }

    @ParameterizedTest
    @EnumSource
    void eachCaseOfASuiteIsDrawnSomewhere(SuiteKind kind) {
        Random random = new Random(1);
        List<StoredCase> cases = kind.cases(InTreePlugins.registry(), 1).stream()
                .map(one -> one(one.name(), random.nextInt(10_000, 300_000)))
                .toList();

        List<Plot> plots = plots(new StoredSuite(kind.id(), cases));

        isLegible(plots);
        String all = plots.stream().map(Plot::svg).collect(Collectors.joining());
        assertThat(cases)
                .allSatisfy(one -> assertThat(all)
                        .containsPattern(
                                ">" + one.name().workload() + "[^<]*: " + Numbers.of(rate(one)) + " pods a second<"));
    }

    /** Sizes, rates and names are of all kinds, many of which nobody has measured. */
    @Rotated(3)
    @Test
    void whateverWasMeasuredIsLegible() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            StoredSuite now = random(random, "now");
            Optional<StoredSuite> then = random.nextBoolean() ? Optional.of(slower(now, random)) : Optional.empty();
            try {
                List<Plot> plots = Plots.of(now, then);
                assertThat(plots).isEqualTo(Plots.of(now, then));
                isLegible(plots);
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed " + seed + ": " + now, wrong);
            }
        }
    }

    private static void isLegible(List<Plot> plots) {
        for (Plot plot : plots) {
            assertThat(plot.svg())
                    .doesNotContain("<script", "@import", "url(", "href")
                    .contains("prefers-color-scheme:dark");
            Drawing drawing = Drawing.of(plot.svg());
            noLabelsAreOnOneAnother(drawing);
            Stream.of("now", "then")
                    .map(drawing::bars)
                    .forEach(bars -> bars.forEach(bar -> {
                        assertThat(bar.left() + bar.width()).isLessThan(drawing.width());
                        assertThat(bar.top() + bar.height()).isLessThan(drawing.height());
                    }));
            goesWithTheRate(Stream.of("now", "then")
                    .flatMap(style -> drawing.bars(style).stream())
                    .collect(Collectors.toMap(Bar::width, bar -> rate(bar.told()), Math::max)));
            goesWithTheRate(drawing.dots().stream()
                    .collect(Collectors.toMap(dot -> -dot.y(), dot -> rate(dot.told()), Math::max)));
            assertThat(drawing.lines().stream().mapToInt(List::size).sum())
                    .isEqualTo(drawing.dots().size());
            assertThat(drawing.texts().stream().filter(text -> text.startsWith("pods a second")))
                    .hasSize(1);
        }
    }

    private static void noLabelsAreOnOneAnother(Drawing drawing) {
        List<Box> labels = drawing.labels();
        for (int i = 0; i < labels.size(); i++) {
            Box label = labels.get(i);
            assertThat(label.left()).as(label.text()).isNotNegative();
            assertThat(label.right()).as(label.text()).isLessThanOrEqualTo(drawing.width());
            assertThat(label.bottom()).as(label.text()).isLessThanOrEqualTo(drawing.height());
            assertThat(labels.subList(0, i)).as(label.text()).noneMatch(label::isOn);
        }
    }

    /** The farther out, the higher the rate; places that are equal but for the rounding may have any. */
    private static void goesWithTheRate(Map<Double, Double> rateByPlace) {
        List<Double> rates = rateByPlace.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
        assertThat(rates).isSorted();
    }

    private static StoredSuite random(Random random, String name) {
        Map<CaseName, StoredCase> cases = new LinkedHashMap<>();
        int[] sizes =
                random.ints(6, 1, random.nextBoolean() ? 20 : 1_000_000_000).toArray();
        double most = Math.pow(10, random.nextInt(1, 13));
        int count = random.nextInt(1, 80);
        for (int i = 0; i < count; i++) {
            String workload = WORKLOADS[random.nextInt(WORKLOADS.length)] + random.nextInt(12);
            CaseName one = new CaseName(
                    workload, sizes[random.nextInt(3)], random.nextInt(2) * 110, sizes[3 + random.nextInt(3)]);
            cases.put(one, one(one, random.nextInt(9) == 0 ? 0 : Math.rint(10 * random.nextDouble() * most) / 10));
        }
        return new StoredSuite(name, new ArrayList<>(cases.values()));
    }

    private static StoredSuite slower(StoredSuite now, Random random) {
        List<StoredCase> cases = now.cases().stream()
                .map(one -> one(one.name(), rate(one) * random.nextDouble()))
                .toList();
        return new StoredSuite("before-".repeat(20), cases);
    }

    private static StoredSuite suite(String name, String... cases) {
        return new StoredSuite(
                name,
                Stream.of(cases)
                        .map(text -> text.split(" "))
                        .map(one -> one(
                                new CaseName(one[0], Integer.parseInt(one[1]), 0, Integer.parseInt(one[2])),
                                Double.parseDouble(one[3])))
                        .toList());
    }

    private static StoredCase one(CaseName name, double rate) {
        return new StoredCase(name, Map.of(Plots.PODS_PER_SECOND, rate));
    }

    private static double rate(StoredCase one) {
        return one.figure(Plots.PODS_PER_SECOND);
    }

    private static double rate(String told) {
        return Double.parseDouble(told.replaceAll(".*: | pods a second$|,", ""));
    }

    private static List<Plot> plots(StoredSuite suite) {
        return Plots.of(suite, Optional.empty());
    }

    private static Drawing drawing(List<Plot> plots, int index) {
        return Drawing.of(plots.get(index).svg());
    }
}
