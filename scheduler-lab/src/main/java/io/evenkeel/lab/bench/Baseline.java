package io.evenkeel.lab.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.file.FileProblem;
import io.evenkeel.lab.bench.Suite.Case.Name;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The suite's figures of another time: the JSON that {@link SuiteReport#json} printed then. All of it must be as it was printed,
 * but fields that are not compared are passed over.
 */
final class Baseline {
    /** None: nothing is compared. */
    static final Baseline NONE = new Baseline(Map.of());

    /** No figure is as much: a larger one would be read as endless. */
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);

    private static final BigDecimal MOST_COUNTED = BigDecimal.valueOf(1_000_000_000);

    private final Map<Name, Then> cases;

    /** The compared figures of a case. */
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
                    file + " is not what 'evenkeel bench --suite --output json' prints: " + otherShape.getMessage(),
                    otherShape);
        } catch (IOException unreadable) {
            throw new UserProblem(FileProblem.reading(file, unreadable), unreadable);
        }
    }

    Optional<Then> of(Name name) {
        return Optional.ofNullable(cases.get(name));
    }

    /** Whether there is anything to compare with. */
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

    private static void readCases(JsonParser json, Map<Name, Then> cases) throws IOException, OtherShapeException {
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw new OtherShapeException("a case that is no object");
            }
            readCase(json, cases);
        }
    }

    private static void readCase(JsonParser json, Map<Name, Then> cases) throws IOException, OtherShapeException {
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
        Name name =
                new Name(workload, count(numbers, "nodes", 1), count(numbers, "fill", 0), count(numbers, "pods", 1));
        Then then = new Then(
                figure(numbers, "pods_per_s"), figure(numbers, "cpu_us_per_pod"), figure(numbers, "bytes_per_pod"));
        if (cases.putIfAbsent(name, then) != null) {
            throw new OtherShapeException("two cases of one workload with " + name.nodes() + " nodes, " + name.pods()
                    + " pods and fill " + name.fill());
        }
    }

    private static double figure(Map<String, BigDecimal> numbers, String field) throws OtherShapeException {
        return number(numbers, field, MOST).doubleValue();
    }

    private static int count(Map<String, BigDecimal> numbers, String field, int least) throws OtherShapeException {
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
