package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Collects what is wrong with an object's fields. */
public final class FieldErrors {

    private static final Set<String> OF_FORM =
            Set.of("FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueNotSupported");

    private final List<Cause> causes = new ArrayList<>();

    public void required(String field, String why) {
        causes.add(new Cause("FieldValueRequired", "Required value" + suffix(why), field));
    }

    /** An invalid text, shown in quotes. */
    public void invalid(String field, String value, String why) {
        invalidLiteral(field, '"' + escaped(value) + '"', why);
    }

    /** An invalid value, shown as it is. */
    public void invalidLiteral(String field, String value, String why) {
        causes.add(new Cause("FieldValueInvalid", "Invalid value: " + value + suffix(why), field));
    }

    /** An invalid object or list, which is not shown. */
    public void invalidObject(String field, String why) {
        causes.add(new Cause("FieldValueInvalid", "Invalid value: " + why, field));
    }

    public void forbidden(String field, String why) {
        causes.add(new Cause("FieldValueForbidden", "Forbidden" + suffix(why), field));
    }

    public void tooLong(String field, int most) {
        causes.add(new Cause("FieldValueTooLong", "Too long: may not be more than " + most + " bytes", field));
    }

    public void tooMany(String field, int given, int most) {
        causes.add(
                new Cause("FieldValueTooMany", "Too many: " + given + ": must have at most " + most + " items", field));
    }

    public void notSupported(String field, String value, List<String> supported) {
        notSupportedLiteral(field, '"' + value + '"', supported);
    }

    public void notSupportedLiteral(String field, String value, List<String> supported) {
        String values = supported.stream().map(each -> '"' + each + '"').collect(Collectors.joining(", "));
        causes.add(new Cause(
                "FieldValueNotSupported", "Unsupported value: " + value + ": supported values: " + values, field));
    }

    /** Refuses a text that is none of those supported. */
    public void oneOf(String field, String value, List<String> supported) {
        if (!supported.contains(value)) {
            notSupported(field, value, supported);
        }
    }

    public void duplicate(String field, String value) {
        causes.add(new Cause("FieldValueDuplicate", "Duplicate value: " + value, field));
    }

    /** A name that stands for nothing. */
    public void notFound(String field, String name, String why) {
        causes.add(new Cause("FieldValueNotFound", "Not found: \"" + name + "\": " + why, field));
    }

    public boolean isEmpty() {
        return causes.isEmpty();
    }

    /** Whether something is wrong with the form of a field, so that what a definition's rules say is not looked at. */
    public boolean isMalformed() {
        return causes.stream().map(Cause::reason).anyMatch(OF_FORM::contains);
    }

    /** Says that rules were not looked at. */
    public void uncheckedRules() {
        causes.add(new Cause(
                "FieldValueInvalid",
                "Invalid value: null: some validation rules were not checked because the object was invalid; correct"
                        + " the existing errors to complete validation",
                "<nil>"));
    }

    /** Refuses the object if anything is wrong with it. */
    public void refuse(String group, String kind, String name) {
        if (isEmpty()) {
            return;
        }
        List<String> sentences = causes.stream().map(Cause::sentence).distinct().toList();
        String what = sentences.size() == 1 ? sentences.getFirst() : "[" + String.join(", ", sentences) + "]";
        String groupKind = group.isEmpty() ? kind : kind + "." + group;
        throw Refusals.invalid(kind, group, name, "%s \"%s\" is invalid: %s".formatted(groupKind, name, what), causes);
    }

    /** As Go quotes a text. */
    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
    }

    private static String suffix(String why) {
        return why.isEmpty() ? "" : ": " + why;
    }

    /** One reason for a refusal; the field is empty where none is to blame. */
    record Cause(String reason, String message, String field) {

        JsonObject tree() {
            JsonObject tree = Trees.of("reason", reason, "message", message);
            if (!field.isEmpty()) {
                tree.addProperty("field", field);
            }
            return tree;
        }

        String sentence() {
            return field + ": " + message;
        }
    }
}
