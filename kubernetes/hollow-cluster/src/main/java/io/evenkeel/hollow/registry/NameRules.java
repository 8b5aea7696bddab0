package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** The forms of names, and the words of a real server on others; an object's name may be made from its generateName. */
public final class NameRules {

    private static final Pattern SUBDOMAIN_PART = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern LABEL_KEY = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int LONGEST_SUBDOMAIN = 253;
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_IDENTIFIER = 32;

    private static final String NOT_A_SUBDOMAIN =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and"
                    + " must start and end with an alphanumeric character (e.g. 'example.com', regex used for"
                    + " validation is '" + SUBDOMAIN_PART + "(\\." + SUBDOMAIN_PART + ")*')";
    private static final String KEY_CHARACTERS =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                    + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                    + " validation is '" + LABEL_KEY + "')";
    private static final String NOT_A_LABEL_VALUE =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345',"
                    + " regex used for validation is '" + LABEL_VALUE + "')";

    private static final String NOT_A_LABEL =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end"
                    + " with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '"
                    + SUBDOMAIN_PART + "')";
    private static final String NOT_AN_IDENTIFIER =
            "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric"
                    + " characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '"
                    + IDENTIFIER + "')";

    /** Without vowels and look-alikes, so that no words come out. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    private static final int LONGEST_PREFIX = 58;

    private NameRules() {}

    public static String randomLetters(int count) {
        StringBuilder letters = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            letters.append(LETTERS.charAt(ThreadLocalRandom.current().nextInt(LETTERS.length())));
        }
        return letters.toString();
    }

    /** The name given or generated; empty if there is neither. */
    static String of(JsonObject metadata) {
        String name = Trees.text(metadata, "name");
        String prefix = Trees.text(metadata, "generateName");
        if (!name.isEmpty() || prefix.isEmpty()) {
            return name;
        }
        return prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX)) + randomLetters(SUFFIX);
    }

    static void object(ResourceType type, String name, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required("metadata.name", "name or generateName is required");
        } else if (type.group().equals(ResourceTable.RBAC)) {
            checkSegment(name, errors);
        } else {
            subdomain("metadata.name", name, errors);
        }
    }

    /** Roles may have any name that a path can end with, such as {@code system:node}. */
    private static void checkSegment(String name, FieldErrors errors) {
        if (name.equals(".") || name.equals("..")) {
            errors.invalid("metadata.name", name, "may not be '" + name + "'");
        }
        for (String separator : List.of("/", "%")) {
            if (name.contains(separator)) {
                errors.invalid("metadata.name", name, "may not contain '" + separator + "'");
            }
        }
    }

    public static void subdomain(String field, String name, FieldErrors errors) {
        if (name.length() > LONGEST_SUBDOMAIN) {
            errors.invalid(field, name, "must be no more than " + LONGEST_SUBDOMAIN + " characters");
        }
        if (!isSubdomain(name)) {
            errors.invalid(field, name, NOT_A_SUBDOMAIN);
        }
    }

    /** Part by part, since an expression for the whole overflows the stack where there are thousands of parts. */
    private static boolean isSubdomain(String name) {
        return Arrays.stream(name.split("\\.", -1))
                .allMatch(part -> SUBDOMAIN_PART.matcher(part).matches());
    }

    private static void prefix(String field, String key, String prefix, FieldErrors errors) {
        if (prefix.isEmpty()) {
            errors.invalid(field, key, "prefix part must be non-empty");
            return;
        }
        if (prefix.length() > LONGEST_SUBDOMAIN) {
            errors.invalid(field, key, "prefix part " + longerThan(LONGEST_SUBDOMAIN));
        }
        if (!isSubdomain(prefix)) {
            errors.invalid(field, key, "prefix part " + NOT_A_SUBDOMAIN);
        }
    }

    /** The key of a label: a name, perhaps behind a domain and a slash. */
    public static void labelKey(String field, String key, FieldErrors errors) {
        List<String> parts = List.of(key.split("/", -1));
        if (parts.size() > 2) {
            errors.invalid(
                    field,
                    key,
                    "a valid label key " + KEY_CHARACTERS
                            + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
            return;
        }
        if (parts.size() == 2) {
            prefix(field, key, parts.getFirst(), errors);
        }
        String name = parts.getLast();
        if (name.isEmpty()) {
            errors.invalid(field, key, "name part must be non-empty");
        } else if (name.length() > LONGEST_LABEL) {
            errors.invalid(field, key, "name part " + longerThan(LONGEST_LABEL));
        }
        if (!LABEL_KEY.matcher(name).matches()) {
            errors.invalid(field, key, "name part " + KEY_CHARACTERS);
        }
    }

    public static void labelValue(String field, String value, FieldErrors errors) {
        if (value.length() > LONGEST_LABEL) {
            errors.invalid(field, value, longerThan(LONGEST_LABEL));
        }
        if (!LABEL_VALUE.matcher(value).matches()) {
            errors.invalid(field, value, NOT_A_LABEL_VALUE);
        }
    }

    /** One part of a domain, such as the name of a device. */
    static void label(String field, String name, FieldErrors errors) {
        if (name.length() > LONGEST_LABEL) {
            errors.invalid(field, name, longerThan(LONGEST_LABEL));
        }
        if (!SUBDOMAIN_PART.matcher(name).matches()) {
            errors.invalid(field, name, NOT_A_LABEL);
        }
    }

    /** The name of a pool of devices: subdomains between slashes. */
    static void pool(String field, String name, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required(field, "");
            return;
        }
        if (name.length() > LONGEST_SUBDOMAIN) {
            errors.tooLong(field, LONGEST_SUBDOMAIN);
        }
        List.of(name.split("/", -1)).forEach(part -> subdomain(field, part, errors));
    }

    /** The name of an attribute or a capacity of devices: an identifier, perhaps behind a domain and a slash. */
    static void attribute(String field, String name, FieldErrors errors) {
        List<String> parts = List.of(name.split("/", -1));
        if (parts.size() > 2) {
            errors.invalid(field, name, "must not contain more than one slash");
            return;
        }
        if (parts.size() == 2 && parts.getFirst().isEmpty()) {
            errors.invalid(field, "", "the domain must not be empty");
        } else if (parts.size() == 2) {
            driver(field, parts.getFirst(), errors);
        }
        if (parts.size() == 2 && parts.getLast().isEmpty()) {
            errors.invalid(field, "", "the name must not be empty");
            return;
        }
        if (parts.getLast().length() > LONGEST_IDENTIFIER) {
            errors.tooLong(field, LONGEST_IDENTIFIER);
        }
        if (!IDENTIFIER.matcher(parts.getLast()).matches()) {
            errors.invalid(field, parts.getLast(), NOT_AN_IDENTIFIER);
        }
    }

    /** The name of an attribute with its domain. */
    static void attributeOfDomain(String field, String name, FieldErrors errors) {
        attribute(field, name, errors);
        if (!name.contains("/")) {
            errors.invalid(field, name, "a fully qualified name must be a domain and a name separated by a slash");
        }
    }

    /** The name of a driver of volumes or devices, in which case does not matter. */
    public static void driver(String field, String name, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required(field, "");
        } else if (name.length() > LONGEST_LABEL) {
            errors.tooLong(field, LONGEST_LABEL);
        } else if (!isSubdomain(name.toLowerCase(Locale.ROOT))) {
            errors.invalid(field, name, NOT_A_SUBDOMAIN);
        }
    }

    /** Whether a CSI driver can have that name. */
    public static boolean isDriver(String name) {
        return name.length() <= LONGEST_LABEL && isSubdomain(name.toLowerCase(Locale.ROOT));
    }

    private static String longerThan(int most) {
        return "must be no more than " + most + " bytes";
    }

    /** How large amounts must be; that they are amounts was seen when they were read. */
    static final class AmountRules {

        private AmountRules() {}

        static void positive(String field, String amount, FieldErrors errors) {
            if (Quantity.parse(amount).signum() <= 0) {
                errors.invalid(field, shown(amount), "must be greater than zero");
            }
        }

        static void notNegative(String field, String amount, FieldErrors errors) {
            if (Quantity.parse(amount).signum() < 0) {
                errors.invalid(field, shown(amount), "must be greater than or equal to 0");
            }
        }

        /** As a real server writes it, which knows neither {@code 0Gi} nor fractions of a unit. */
        private static String shown(String amount) {
            Quantity quantity = Quantity.parse(amount);
            return quantity.signum() == 0 || amount.contains(".") ? quantity.toString() : amount;
        }
    }
}
