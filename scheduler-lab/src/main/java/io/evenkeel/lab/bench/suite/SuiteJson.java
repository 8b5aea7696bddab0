package io.evenkeel.lab.bench.suite;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what {@link SuiteReport#json} wrote: all of it must be as it was written, but what is not asked for is passed over. */
final class SuiteJson {
    /** No figure is as much: a larger one could not be drawn, or would be read as endless. */
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);

    private static final BigDecimal MOST_COUNTED = BigDecimal.valueOf(1_000_000_000);

    private final Set<String> figures;

    /** Why the text is something else, in words that follow the name of its file. */
    static final class OtherShapeException extends Exception {
        private static final long serialVersionUID = 1L;

        OtherShapeException(String message) {
            super(message);
        }
    }

    /** One that reads these figures of each case. */
    SuiteJson(Set<String> figures) {
        this.figures = figures;
    }

    List<StoredCase> cases(String text) throws OtherShapeException {
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

    private List<StoredCase> cases(JsonParser json) throws IOException, OtherShapeException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new OtherShapeException("no JSON object");
        }
        List<StoredCase> cases = new ArrayList<>();
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

    private void readCases(JsonParser json, List<StoredCase> cases) throws IOException, OtherShapeException {
        Set<CaseName> names = new HashSet<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw new OtherShapeException("a case that is no object");
            }
            StoredCase one = readCase(json);
            if (!names.add(one.name())) {
                CaseName twice = one.name();
                throw new OtherShapeException("two cases of one workload with " + twice.nodes() + " nodes, "
                        + twice.pods() + " pods and fill " + twice.fill());
            }
            cases.add(one);
        }
    }

    private StoredCase readCase(JsonParser json) throws IOException, OtherShapeException {
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
        CaseName name = new CaseName(
                workload, count(numbers, "nodes", 1), count(numbers, "fill", 0), count(numbers, "pods", 1));
        Map<String, Double> asked = new HashMap<>();
        for (String figure : figures) {
            asked.put(figure, number(numbers, figure, MOST).doubleValue());
        }
        return new StoredCase(name, asked);
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
