package io.evenkeel.lab.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.file.FileProblem;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Bench.Figures;
import io.evenkeel.lab.bench.Bench.Scenario;
import io.evenkeel.lab.bench.Suite.Case.Name;
import io.evenkeel.lab.bench.Suite.Row;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Cases that are measured one after the other, in this order: each warms the process up for those after it. */
enum Suite {
    /** A bit of everything: what a change is held against. */
    USUAL("usual") {
        @Override
        public List<Case> cases(PluginRegistry registry, long seed) {
            List<Case> cases = new ArrayList<>();
            for (Workload workload : AT_EACH_SIZE) {
                SIZES.forEach(nodes -> cases.add(Case.of(BenchCase.of(workload, nodes, FEW_PODS, seed))));
            }
            AT_THE_USUAL_SIZE.forEach(
                    workload -> cases.add(Case.of(BenchCase.of(workload, USUAL_NODES, FEW_PODS, seed))));
            cases.add(Case.of(BenchCase.of(
                    Workload.TRACE_GPU, Workload.TRACE_GPU.usualNodes(), Workload.TRACE_GPU.usualPods(), seed)));
            FILLED.forEach(workload -> cases.add(
                    Case.of(BenchCase.of(workload, USUAL_NODES, FEW_PODS, seed).filledBy(FULLER))));
            OF_THE_REFERENCE.forEach(workload -> cases.add(Case.of(PerfCase.of(workload, seed, registry))));
            return cases;
        }
    },

    /**
     * Equal workloads at sizes a few times apart: once with more and more nodes for as many pods, once with more and more pods for
     * as many nodes. Where the two cross, a case is measured once.
     */
    SCALE("scale") {
        @Override
        public List<Case> cases(PluginRegistry registry, long seed) {
            List<Case> cases = new ArrayList<>();
            for (Workload workload : AT_EACH_SCALE) {
                Stream<BenchCase> byNodes =
                        SCALES.stream().map(nodes -> BenchCase.of(workload, nodes, USUAL_PODS, seed));
                Stream<BenchCase> byPods = SCALES.stream()
                        .filter(pods -> pods != USUAL_PODS)
                        .map(pods -> BenchCase.of(workload, USUAL_NODES, pods, seed));
                Stream.concat(byNodes, byPods).map(Case::of).forEach(cases::add);
            }
            return cases;
        }
    };

    private static final int FEW_PODS = 5_000;
    private static final int USUAL_PODS = 20_000;
    private static final int USUAL_NODES = 5_000;
    private static final int FULLER = 20;

    /** How rates fall with the nodes. */
    private static final List<Workload> AT_EACH_SIZE =
            List.of(Workload.BASIC, Workload.ZONE_HARD, Workload.BOTH_HARD, Workload.ANTI);

    private static final List<Integer> SIZES = List.of(1_000, 5_000, 15_000);

    private static final List<Workload> AT_THE_USUAL_SIZE = List.of(
            Workload.HOST_SOFT,
            Workload.BOTH_SOFT,
            Workload.AFFINITY,
            Workload.MIXED,
            Workload.SHAPES_UNIQUE,
            Workload.DEFAULT_SOFT,
            Workload.VOLUMES,
            Workload.DRA,
            Workload.UNSCHEDULABLE);

    /** How rates fall as nodes fill. */
    private static final List<Workload> FILLED =
            List.of(Workload.BASIC, Workload.BOTH_HARD, Workload.BOTH_SOFT, Workload.ANTI);

    private static final List<PerfWorkload> OF_THE_REFERENCE = Stream.of(
                    "SchedulingRequiredPodAntiAffinityWithNSSelector",
                    "SchedulingPreferredPodAffinity",
                    "PreemptionBasic")
            .map(name -> PerfWorkload.find(name).orElseThrow())
            .toList();

    private static final List<Workload> AT_EACH_SCALE = List.of(
            Workload.BASIC,
            Workload.ZONE_HARD,
            Workload.BOTH_HARD,
            Workload.BOTH_SOFT,
            Workload.ANTI,
            Workload.AFFINITY,
            Workload.MIXED);

    private static final List<Integer> SCALES = List.of(1_000, 5_000, 20_000, 100_000);

    private final String id;

    Suite(String id) {
        this.id = id;
    }

    /** What is measured, and what it is called in tables: measurements of equal workloads at an equal size are of one case. */
    record Case(Name name, Scenario scenario) {
        static Case of(BenchCase own) {
            return new Case(new Name(own.workload().id(), own.nodes(), own.fill(), own.pods()), own);
        }

        static Case of(PerfCase ofTheReference) {
            return new Case(
                    new Name(ofTheReference.workload().id(), ofTheReference.nodes(), 0, ofTheReference.pods()),
                    ofTheReference);
        }

        record Name(String workload, int nodes, int fill, int pods) {}
    }

    record Row(Case.Name name, Figures figures) {}

    abstract List<Case> cases(PluginRegistry registry, long seed);

    /** Measures cases one after the other, and tells of each as soon as it is measured. */
    static List<Row> measure(List<Case> cases, Bench bench, Consumer<Row> measured) {
        List<Row> rows = new ArrayList<>();
        for (Case one : cases) {
            Row row = new Row(one.name(), bench.measure(one.scenario()));
            measured.accept(row);
            rows.add(row);
        }
        return rows;
    }

    /** The name on the command line. */
    String id() {
        return id;
    }

    static Optional<Suite> find(String id) {
        return Arrays.stream(values()).filter(suite -> suite.id.equals(id)).findFirst();
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(Suite::id).toList();
    }

    /** The suite as text: a table for people, CSV for charts, one line of JSON that serves as the baseline of a later run. */
    record SuiteReport(Baseline baseline) {
        static final String CASES = "cases";
        static final String WORKLOAD = "workload";
        private static final String COLUMNS = "%-52s %7s %5s %7s %9s %8s %8s %8s %9s";
        private static final String COMPARISON = "   %8s %9s %7s";
        private static final String NOTHING = "–";

        String head() {
            String measured = String.format(
                    Locale.ROOT,
                    COLUMNS,
                    WORKLOAD,
                    "nodes",
                    "fill",
                    "pods",
                    "pods/s",
                    "µs p50",
                    "µs p99",
                    "µs cpu",
                    "bytes/pod");
            return baseline.isThere()
                    ? measured + String.format(Locale.ROOT, COMPARISON, "× pods/s", "× µs cpu", "× bytes")
                    : measured;
        }

        /** The table's line of a case; what is compared is how many times as much as then it is. */
        String row(Row row) {
            String measured = String.format(
                    Locale.ROOT,
                    COLUMNS,
                    row.name().workload(),
                    number("%,d", row.name().nodes()),
                    number("%,d", row.name().fill()),
                    number("%,d", row.name().pods()),
                    number("%,.0f", row.figures().podsPerSecond()),
                    number("%,.1f", row.figures().p50Micros()),
                    number("%,.1f", row.figures().p99Micros()),
                    number("%,.1f", row.figures().cpuMicros()),
                    number("%,d", row.figures().bytesPerPod()));
            return baseline.isThere() ? measured + compared(row) : measured;
        }

        private String compared(Row row) {
            Optional<Baseline.Then> then = baseline.of(row.name());
            return String.format(
                    Locale.ROOT,
                    COMPARISON,
                    then.map(was -> ratio(row.figures().podsPerSecond(), was.podsPerSecond()))
                            .orElse(NOTHING),
                    then.map(was -> ratio(row.figures().cpuMicros(), was.cpuMicros()))
                            .orElse(NOTHING),
                    then.map(was -> ratio((double) row.figures().bytesPerPod(), was.bytesPerPod()))
                            .orElse(NOTHING));
        }

        /** One JSON object on one line. */
        static String json(List<Row> rows, long seed) {
            return new Tree()
                    .put("seed", seed)
                    .put(CASES, rows, SuiteReport::fields)
                    .json();
        }

        private static Tree fields(Row row) {
            BenchReport report = new BenchReport()
                    .put(WORKLOAD, row.name().workload())
                    .put("nodes", row.name().nodes())
                    .put("fill", row.name().fill())
                    .put("pods", row.name().pods());
            return row.figures().addTo(report, "").fields();
        }

        /** The names of the fields of {@link #csv}: they are the JSON's. */
        static String csvHead() {
            return "workload,nodes,fill,pods,pods_per_s,us_per_pod_p50,us_per_pod_p99,cpu_us_per_pod,bytes_per_pod";
        }

        /** A case on a line. No name of a workload has a comma. */
        static String csv(Row row) {
            return String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%d",
                    row.name().workload(),
                    row.name().nodes(),
                    row.name().fill(),
                    row.name().pods(),
                    row.figures().podsPerSecond(),
                    row.figures().p50Micros(),
                    row.figures().p99Micros(),
                    row.figures().cpuMicros(),
                    row.figures().bytesPerPod());
        }

        private static String ratio(double now, double then) {
            return then == 0 ? NOTHING : number("%.2f", now / then);
        }

        private static String number(String format, Object value) {
            return String.format(Locale.ROOT, format, value);
        }

        /**
         * The suite's figures of another time: the JSON that {@link SuiteReport#json} printed then. All of it must be as it was printed,
         * but fields that are not compared are passed over.
         */
        static final class Baseline {
            /** None: nothing is compared. */
            static final Baseline NONE = new Baseline(Map.of());

            /** No figure is as much: a larger one would be read as endless. */
            private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);

            private static final BigDecimal MOST_COUNTED = BigDecimal.valueOf(1_000_000_000);

            private final Map<Name, Then> cases;

            record Then(double podsPerSecond, double cpuMicros, double bytesPerPod) {}

            /** Why a text is something else, in words that follow the name of its file. */
            private static final class OtherShapeException extends Exception {
                private static final long serialVersionUID = 1L;

                OtherShapeException(String message) {
                    super(message);
                }
            }

            private Baseline(Map<Name, Then> cases) {
                this.cases = cases;
            }

            /**
             * Reads what {@link SuiteReport#json} wrote.
             *
             * @throws UserProblem with a line for the user if the file is not that
             */
            static Baseline read(Path file) {
                try {
                    return new Baseline(cases(Files.readString(file)));
                } catch (OtherShapeException otherShape) {
                    throw new UserProblem(
                            file + " is not what 'evenkeel bench --suite --output json' prints: "
                                    + otherShape.getMessage(),
                            otherShape);
                } catch (IOException unreadable) {
                    throw new UserProblem(FileProblem.reading(file, unreadable), unreadable);
                }
            }

            Optional<Then> of(Name name) {
                return Optional.ofNullable(cases.get(name));
            }

            boolean isThere() {
                return !cases.isEmpty();
            }

            private static Map<Name, Then> cases(String text) throws OtherShapeException {
                try (JsonParser json = new JsonFactory().createParser(text)) {
                    return cases(json);
                } catch (JsonProcessingException notJson) {
                    throw new OtherShapeException(Optional.ofNullable(notJson.getLocation())
                            .map(place -> "no JSON at line " + place.getLineNr() + ", column " + place.getColumnNr())
                            .orElse("no JSON"));
                } catch (IOException inMemory) {
                    throw new OtherShapeException("no JSON");
                }
            }

            private static Map<Name, Then> cases(JsonParser json) throws IOException, OtherShapeException {
                if (json.nextToken() != JsonToken.START_OBJECT) {
                    throw new OtherShapeException("no JSON object");
                }
                Map<Name, Then> cases = new HashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    boolean areCases = json.currentName().equals(SuiteReport.CASES);
                    if (json.nextToken() == JsonToken.START_ARRAY && areCases) {
                        readCases(json, cases);
                    } else {
                        json.skipChildren();
                    }
                }
                if (json.nextToken() != null) {
                    throw new OtherShapeException("more than one JSON object");
                }
                if (cases.isEmpty()) {
                    throw new OtherShapeException("no " + SuiteReport.CASES);
                }
                return cases;
            }

            private static void readCases(JsonParser json, Map<Name, Then> cases)
                    throws IOException, OtherShapeException {
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    if (json.currentToken() != JsonToken.START_OBJECT) {
                        throw new OtherShapeException("a case that is no object");
                    }
                    readCase(json, cases);
                }
            }

            private static void readCase(JsonParser json, Map<Name, Then> cases)
                    throws IOException, OtherShapeException {
                String workload = "";
                Map<String, BigDecimal> numbers = new HashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String field = json.currentName();
                    JsonToken value = json.nextToken();
                    if (value.isNumeric()) {
                        numbers.put(field, json.getDecimalValue());
                    } else if (field.equals(SuiteReport.WORKLOAD) && value == JsonToken.VALUE_STRING) {
                        workload = json.getText();
                    } else {
                        json.skipChildren();
                    }
                }
                if (workload.isBlank()) {
                    throw new OtherShapeException("a case of no workload");
                }
                Name name = new Name(
                        workload, count(numbers, "nodes", 1), count(numbers, "fill", 0), count(numbers, "pods", 1));
                Then then = new Then(
                        figure(numbers, "pods_per_s"),
                        figure(numbers, "cpu_us_per_pod"),
                        figure(numbers, "bytes_per_pod"));
                if (cases.putIfAbsent(name, then) != null) {
                    throw new OtherShapeException("two cases of one workload with " + name.nodes() + " nodes, "
                            + name.pods() + " pods and fill " + name.fill());
                }
            }

            private static double figure(Map<String, BigDecimal> numbers, String field) throws OtherShapeException {
                return number(numbers, field, MOST).doubleValue();
            }

            private static int count(Map<String, BigDecimal> numbers, String field, int least)
                    throws OtherShapeException {
                BigDecimal number = number(numbers, field, MOST_COUNTED);
                int count = number.intValue();
                if (count < least || BigDecimal.valueOf(count).compareTo(number) != 0) {
                    throw new OtherShapeException("a case of " + shown(number) + " " + field);
                }
                return count;
            }

            private static BigDecimal number(Map<String, BigDecimal> numbers, String field, BigDecimal most)
                    throws OtherShapeException {
                BigDecimal number = numbers.get(field);
                if (number == null) {
                    throw new OtherShapeException("a case without " + field);
                }
                if (number.signum() < 0 || number.compareTo(most) > 0) {
                    throw new OtherShapeException("a case of " + shown(number) + " " + field);
                }
                return number;
            }

            /** Short, however many digits it has. */
            private static String shown(BigDecimal number) {
                return number.round(new MathContext(6)).toString();
            }
        }
    }
}
