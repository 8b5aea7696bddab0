package io.evenkeel.hollow.kind;

import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.value.Quantity;

/** How large amounts must be; that they are amounts was seen when they were read. */
final class AmountRules {

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
