package io.evenkeel.tools.cli;

import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/**
 * An answer that is printed whenever it has become another. Before each but the first there is a line for people that says
 * when:
 *
 * <pre>
 *   shop/web waits: 0/1 nodes are available: 1 Insufficient cpu.
 *   …
 *   --- 14:03:07
 *   shop/web is on node n2; 1 would do now
 * </pre>
 */
final class ChangingAnswer {
    private final PrintWriter out;
    private final OutputForm form;
    private final Supplier<LocalTime> time;
    private String last = "";
    private boolean printed;

    ChangingAnswer(PrintWriter out, OutputForm form) {
        this(out, form, () -> LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
    }

    ChangingAnswer(PrintWriter out, OutputForm form, Supplier<LocalTime> time) {
        this.out = out;
        this.form = form;
        this.time = time;
    }

    void print(String answer) {
        if (printed && answer.equals(last)) {
            return;
        }
        if (printed && form.output().isForPeople()) {
            out.println("--- " + time.get().format(DateTimeFormatter.ISO_LOCAL_TIME));
        }
        if (!answer.isEmpty()) {
            out.println(form.shown(answer));
        }
        out.flush();
        last = answer;
        printed = true;
    }
}
