package io.evenkeel.config.file;

import io.evenkeel.model.value.NameForm;
import java.util.Optional;

/** Checks names against Kubernetes' forms; each check gives an error, or nothing. */
final class NameRules {
    /** Quotas on an extended resource are named with this in front, and the whole must still be a valid name. */
    private static final String QUOTA_PREFIX = "requests.";

    private NameRules() {}

    private static Optional<String> unless(boolean valid, String problem) {
        return valid ? Optional.empty() : Optional.of(problem);
    }

    /** A label key. */
    static Optional<String> qualifiedNameProblem(String name) {
        return unless(
                NameForm.isLabelKey(name),
                "expected a name such as \"example.com/name\" or \"name\", got \"" + name + '"');
    }

    static Optional<String> labelValueProblem(String value) {
        return unless(NameForm.isLabelValue(value), "\"" + value + "\" is no valid label value");
    }

    /** Extended resources are those outside of kubernetes.io. */
    static Optional<String> extendedResourceProblem(String name) {
        boolean valid = NameForm.isLabelKey(name)
                && name.contains("/")
                && !name.contains("kubernetes.io/")
                && !name.startsWith(QUOTA_PREFIX)
                && NameForm.isLabelKey(QUOTA_PREFIX + name);
        return unless(valid, "expected an extended resource such as \"example.com/gpu\", got \"" + name + '"');
    }

    /** The rule for most names of objects. */
    static Optional<String> subdomainProblem(String name) {
        return unless(
                NameForm.isSubdomain(name),
                "expected a name of lower-case letters, digits, '-' and '.', got \"" + name + '"');
    }

    /** The rule for names of namespaces. */
    static Optional<String> labelProblem(String name) {
        return unless(
                NameForm.isDnsLabel(name),
                "expected a name of at most " + NameForm.LONGEST_NAME + " lower-case letters, digits and '-', got \""
                        + name + '"');
    }
}
