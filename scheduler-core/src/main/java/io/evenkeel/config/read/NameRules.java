package io.evenkeel.config.read;

import java.util.Optional;
import java.util.regex.Pattern;

/** Kubernetes' rules for names; each check gives an error, or nothing. */
final class NameRules {
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_SUBDOMAIN = 253;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

    /** Quotas on an extended resource are named with this in front, and the whole must still be a valid name. */
    private static final String QUOTA_PREFIX = "requests.";

    private NameRules() {}

    /** A label key: a name of at most 63 characters, with or without a DNS name and a slash in front. */
    static Optional<String> qualifiedNameProblem(String name) {
        int slash = name.indexOf('/');
        String prefix = slash < 0 ? "example.com" : name.substring(0, slash);
        String rest = name.substring(slash + 1);
        boolean valid = isName(rest) && isSubdomain(prefix);
        return valid
                ? Optional.empty()
                : Optional.of("expected a name such as \"example.com/name\" or \"name\", got \"" + name + '"');
    }

    static Optional<String> labelValueProblem(String value) {
        return value.isEmpty() || isName(value)
                ? Optional.empty()
                : Optional.of("\"" + value + "\" is no valid label value");
    }

    /** Extended resources are those outside of kubernetes.io. */
    static Optional<String> extendedResourceProblem(String name) {
        boolean valid = qualifiedNameProblem(name).isEmpty()
                && name.contains("/")
                && !name.contains("kubernetes.io/")
                && !name.startsWith(QUOTA_PREFIX)
                && qualifiedNameProblem(QUOTA_PREFIX + name).isEmpty();
        return valid
                ? Optional.empty()
                : Optional.of("expected an extended resource such as \"example.com/gpu\", got \"" + name + '"');
    }

    /** The rule for most names of objects. */
    static Optional<String> subdomainProblem(String name) {
        return isSubdomain(name)
                ? Optional.empty()
                : Optional.of("expected a name of lower-case letters, digits, '-' and '.', got \"" + name + '"');
    }

    /** The rule for names of namespaces. */
    static Optional<String> labelProblem(String name) {
        return name.length() <= LONGEST_NAME && LABEL.matcher(name).matches()
                ? Optional.empty()
                : Optional.of("expected a name of at most " + LONGEST_NAME
                        + " lower-case letters, digits and '-', got \"" + name + '"');
    }

    private static boolean isSubdomain(String text) {
        return text.length() <= LONGEST_SUBDOMAIN && SUBDOMAIN.matcher(text).matches();
    }

    private static boolean isName(String text) {
        return text.length() <= LONGEST_NAME && NAME.matcher(text).matches();
    }
}
