package io.evenkeel.app.record.format;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.engine.decision.Answer;
import io.evenkeel.engine.decision.ExtenderAdvice;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Reads what extenders have answered. */
final class AnswerReader {
    private final ByteReader in;
    private final EntryReader entries;

    AnswerReader(ByteReader in, EntryReader entries) {
        this.in = in;
        this.entries = entries;
    }

    Answer read() {
        return switch (in.tag()) {
            case AnswerWriter.ADVISED -> new Answer.Advised(advice());
            case AnswerWriter.VICTIMS -> new Answer.VictimsChosen(several(this::candidate));
            case AnswerWriter.FAILED -> new Answer.Failed(in.text());
            default -> throw new IllegalArgumentException("an answer of extenders is of no known sort");
        };
    }

    private ExtenderAdvice advice() {
        List<String> left = several(entries::word);
        Map<String, Status> turnedAway = new LinkedHashMap<>();
        for (int i = in.count(); i > 0; i--) {
            String node = entries.word();
            turnedAway.put(
                    node, new Status(EntryReader.constant(Status.Code.class, entries.word()), several(entries::word)));
        }
        Map<String, Long> scores = new LinkedHashMap<>();
        for (int i = in.count(); i > 0; i--) {
            scores.put(entries.word(), in.signed());
        }
        return new ExtenderAdvice(new LinkedHashSet<>(left), turnedAway, scores);
    }

    private PreemptionCandidate candidate() {
        String node = entries.word();
        List<Pod> victims = several(entries::wholePod);
        return new PreemptionCandidate(node, victims, in.signed());
    }

    private <T> List<T> several(Supplier<T> one) {
        List<T> all = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            all.add(one.get());
        }
        return all;
    }
}
