package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules that a custom resource's schema may set for a field, and a real server's words when one is broken. A
 * field that is absent is left alone, unless it is required.
 *
 * @param place of the fields' object, as in {@code spec.rules[0]}
 */
record SchemaRules(String place, JsonObject tree, FieldErrors errors) {

    private String at(String field) {
        return place + "." + field;
    }

    void required(String field) {
        if (Trees.at(tree, field).isEmpty()) {
            errors.required(at(field), "");
        }
    }

    void oneOf(String field, List<String> supported) {
        if (Trees.at(tree, field).isPresent()) {
            errors.oneOf(at(field), Trees.text(tree, field), supported);
        }
    }

    void number(String field, long least, long most) {
        Optional<Long> number = Trees.number(tree, field);
        String given = number.map(Object::toString).orElse("");
        if (number.filter(each -> each < least).isPresent()) {
            errors.invalidLiteral(at(field), given, inBody(field, "be greater than or equal to " + least));
        } else if (number.filter(each -> each > most).isPresent()) {
            errors.invalidLiteral(at(field), given, inBody(field, "be less than or equal to " + most));
        }
    }

    void text(String field, TextForm form) {
        if (Trees.at(tree, field).isPresent()) {
            form.check(at(field), Trees.text(tree, field), errors);
        }
    }

    void atMost(String field, int items) {
        int given = Trees.array(tree, field).map(list -> list.size()).orElse(0);
        if (given > items) {
            errors.tooMany(at(field), given, items);
        }
    }

    /** A list of texts. */
    void texts(String field, int items, TextForm form) {
        atMost(field, items);
        List<String> texts = Trees.texts(tree, field);
        for (int i = 0; i < texts.size(); i++) {
            form.check(at(field) + "[" + i + "]", texts.get(i), errors);
        }
    }

    /** Also refuses a text that is there twice. */
    void setOfTexts(String field, int items, TextForm form) {
        texts(field, items, form);
        distinct(
                field,
                Trees.texts(tree, field).stream().map(text -> '"' + text + '"').toList());
    }

    /** Refuses what is there a second time, by what tells the items apart. */
    void distinct(String field, List<String> items) {
        Set<String> known = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            if (!known.add(items.get(i))) {
                errors.duplicate(at(field) + "[" + i + "]", items.get(i));
            }
        }
    }

    private String inBody(String field, String what) {
        return at(field) + " in body should " + what;
    }

    /**
     * The rules that a custom resource's schema may set for a text. A real server names only the first that is broken.
     *
     * @param longest characters
     * @param shortest characters
     */
    record TextForm(int longest, int shortest, Pattern pattern) {

        static TextForm of(int longest, int shortest, String pattern) {
            return new TextForm(longest, shortest, Pattern.compile(pattern));
        }

        void check(String where, String text, FieldErrors errors) {
            if (length(text) > longest) {
                errors.tooLong(where, longest);
            } else if (length(text) < shortest) {
                errors.invalid(where, text, where + " in body should be at least " + shortest + " chars long");
            } else if (!pattern.matcher(text).matches()) {
                errors.invalid(where, text, where + " in body should match '" + pattern + "'");
            }
        }

        /** Whether a text is of this form. */
        boolean fits(String text) {
            return length(text) <= longest
                    && length(text) >= shortest
                    && pattern.matcher(text).matches();
        }

        private static int length(String text) {
            return text.codePointCount(0, text.length());
        }
    }
}
