package io.evenkeel.app.why.suppose;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.model.Pod;
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

    /** All forms, for people. */
    public static List<String> forms() {
        return Form.written();
    }

    /**
     * What it changes for this pod, at least one thing.
     *
     * @param before what is supposed beside it
     * @throws SuppositionException if that cannot be: it names what is not there, or what was supposed already
     */
    public List<Change> changes(Pod pod, ClusterView cluster, List<Change> before) {
        List<Change> changes = form.changes(parts, new Supposed(pod, cluster, before));
        if (changes.isEmpty()) {
            throw new SuppositionException("\"" + text + "\" changes nothing for pod " + pod.key());
        }
        return changes;
    }
}
