package io.evenkeel.problem;

import java.util.List;

/** A configuration that cannot be used; its message has a line for each error. */
public final class ConfigurationException extends UserProblem {
    private static final long serialVersionUID = 1L;

    private final String[] errors;

    public ConfigurationException(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = errors.toArray(String[]::new);
    }

    public ConfigurationException(String error) {
        this(List.of(error));
    }

    public List<String> errors() {
        return List.of(errors);
    }
}
