package io.evenkeel.tools.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.tools.cli.ServedAnswers.Served;
import io.evenkeel.tools.output.Output;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Follows what an Evenkeel that runs in the cluster says of a pod, by asking again and again. What its queue says of times and
 * attempts, and how old the answer is, is another whenever one asks, and so no reason to print the rest again.
 */
final class ServedFollower {
    private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(2);

    private final ServedAnswers answers;
    private final Output output;
    private final ChangingAnswer printed;
    private final Consumer<String> warnings;
    private final Sleeper sleeper;
    private JsonObject last = new JsonObject();
    private String lastProblem = "";

    ServedFollower(
            ServedAnswers answers, Output output, ChangingAnswer printed, Consumer<String> warnings, Sleeper sleeper) {
        this.answers = answers;
        this.output = output;
        this.printed = printed;
        this.warnings = warnings;
        this.sleeper = sleeper;
    }

    /**
     * Returns once a pod that waited has its node.
     *
     * @param first what was said of it just now, as JSON
     * @throws NoSuchPodException once the pod is gone
     */
    void follow(String pod, Served.Told first) throws InterruptedException {
        Served now = first;
        boolean waited = false;
        while (true) {
            switch (now) {
                case Served.Told told -> {
                    boolean inPlace = tell(pod, told.answer());
                    if (inPlace && waited) {
                        return;
                    }
                    waited |= !inPlace;
                }
                case Served.NoSuchPod none -> throw new NoSuchPodException(pod, none.host());
                case Served.Unreached unreached -> trouble(unreached.told());
                case Served.NotServed _ -> trouble("why.evenkeel.io is not served any more");
                case Served.Failed failed -> trouble("why.evenkeel.io does not answer: " + failed.why());
            }
            sleeper.sleep(BETWEEN_QUESTIONS.toNanos());
            now = answers.about(pod, Output.JSON);
        }
    }

    /** Whether it is on a node. */
    private boolean tell(String pod, String json) {
        lastProblem = "";
        JsonObject told = JsonParser.parseString(json).getAsJsonObject();
        told.remove("queue");
        told.remove("seen");
        if (!told.equals(last)
                && (output == Output.JSON ? new Served.Told(json) : answers.about(pod, output))
                        instanceof Served.Told(String answer)) {
            printed.print(answer);
            last = told;
        }
        return told.get("state").getAsString().equals("inPlace");
    }

    private void trouble(String problem) {
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            warnings.accept(problem + "; asking again");
        }
    }
}
