package io.evenkeel.lab.bench.suite;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.app.cli.FailureException;
import io.evenkeel.file.FileProblem;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the suite took at another time: the JSON that it printed then. */
public final class Baseline {
    /** None: nothing is compared. */
    public static final Baseline NONE = new Baseline(Map.of());

    /** What is compared of a case. */
    record Then(double podsPerSecond, double cpuMicros, double bytesPerPod) {}

    private final Map<CaseName, Then> cases;

    private Baseline(Map<CaseName, Then> cases) {
        this.cases = cases;
    }

    /**
     * Reads what {@link SuiteReport#json} wrote.
     *
     * @throws FailureException with a line for the user if the file is not that
     */
    public static Baseline read(Path file) {
        try {
            return new Baseline(cases(file, Files.readString(file)));
        } catch (JsonProcessingException notJson) {
            throw notOurs(file, notJson);
        } catch (IOException unreadable) {
            throw new FailureException(FileProblem.reading(file, unreadable), unreadable);
        }
    }

    Optional<Then> of(CaseName name) {
        return Optional.ofNullable(cases.get(name));
    }

    /** Whether there is anything to compare with. */
    boolean isThere() {
        return !cases.isEmpty();
    }

    private static Map<CaseName, Then> cases(Path file, String text) throws IOException {
        Map<CaseName, Then> cases = new HashMap<>();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            boolean inCases = false;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.START_ARRAY) {
                    inCases = SuiteReport.CASES.equals(json.currentName());
                } else if (token == JsonToken.START_OBJECT && inCases) {
                    readCase(file, json, cases);
                }
            }
        }
        if (cases.isEmpty()) {
            throw notOurs(file, new IOException("no " + SuiteReport.CASES));
        }
        return cases;
    }

    private static void readCase(Path file, JsonParser json, Map<CaseName, Then> cases) throws IOException {
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
        if (workload.isEmpty()) {
            throw notOurs(file, new IOException("a case of no workload"));
        }
        CaseName name = new CaseName(
                workload,
                number(file, numbers, "nodes").intValue(),
                number(file, numbers, "fill").intValue(),
                number(file, numbers, "pods").intValue());
        Then then = new Then(
                number(file, numbers, "pods_per_s").doubleValue(),
                number(file, numbers, "cpu_us_per_pod").doubleValue(),
                number(file, numbers, "bytes_per_pod").doubleValue());
        cases.put(name, then);
    }

    private static BigDecimal number(Path file, Map<String, BigDecimal> numbers, String field) {
        return Optional.ofNullable(numbers.get(field))
                .orElseThrow(() -> notOurs(file, new IOException("a case without " + field)));
    }

    private static FailureException notOurs(Path file, IOException cause) {
        return new FailureException(file + " is not what 'evenkeel bench --suite --output json' prints", cause);
    }
}
