package io.evenkeel.tools.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.PodChange.MaxSkew;
import io.evenkeel.framework.why.PodChange.MinDomains;
import io.evenkeel.framework.why.PodChange.SpreadPreferred;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.problem.UserProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;

/** A change that a user supposes, in the words of {@link Form}. */
public final class Supposition {
    private final String text;
    private final Form form;
    private final Matcher parts;

    private Supposition(String text, Form form, Matcher parts) {
        this.text = text;
        this.form = form;
        this.parts = parts;
    }

    /**
     * Empty where the text has none of the forms.
     *
     * @throws SuppositionException if it makes no sense whatever the cluster
     */
    public static Optional<Supposition> parse(String text) {
        for (Form form : Form.values()) {
            Matcher parts = form.match(text.strip().replaceAll("\\s+", " "));
            if (parts.matches()) {
                form.requireSense(parts);
                return Optional.of(new Supposition(text, form, parts));
            }
        }
        return Optional.empty();
    }

    public static List<String> forms() {
        return Form.written();
    }

    /**
     * Returns all changes of the suppositions for this pod, at least one of each.
     *
     * @throws SuppositionException if that cannot be: one names something that is not there, or one leaves another without effect
     */
    public static List<Change> together(List<Supposition> all, Pod pod, ClusterView cluster) {
        List<Change> changes = new ArrayList<>();
        List<Supposition> nodesFirst = new ArrayList<>(all); // others may speak of them
        nodesFirst.sort(Comparator.comparing(each -> each.form != Form.NODE));
        nodesFirst.forEach(each -> changes.addAll(each.changes(new Supposed(pod, cluster, List.copyOf(changes)))));
        return changes;
    }

    private List<Change> changes(Supposed supposed) {
        List<Change> changes = form.changes(parts, supposed);
        if (changes.isEmpty()) {
            throw new SuppositionException(Excerpt.quoted(text) + " changes nothing for pod "
                    + supposed.pod().key());
        }
        changes.forEach(change -> supposed.before().forEach(other -> requireEffect(change, other)));
        return changes;
    }

    private static void requireEffect(Change change, Change other) {
        if (change.equals(other)) {
            throw new SuppositionException(change.text() + " is supposed twice");
        }
        requireKept(change, other);
        requireKept(other, change);
    }

    /** A constraint that is only preferred allows any skew, and asks for no domains. */
    private static void requireKept(Change change, Change beside) {
        if (beside instanceof SpreadPreferred preferred && isOf(change, preferred.index())) {
            String over = " over " + preferred.topologyKey();
            throw new SuppositionException(
                    change.kind().fieldName() + over + " has no effect beside ScheduleAnyway" + over);
        }
    }

    private static boolean isOf(Change change, int constraint) {
        return switch (change) {
            case MaxSkew skew -> skew.index() == constraint;
            case MinDomains domains -> domains.index() == constraint;
            default -> false;
        };
    }

    /** The supposition cannot be: it names an object that does not exist. The message is one line for the user. */
    public static final class SuppositionException extends UserProblem {
        private static final long serialVersionUID = 1L;

        SuppositionException(String message) {
            super(message);
        }
    }
}
