package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The rows of the tables are the API's fields: same name, same number, same type. */
class TablesTest {

    @Test
    void everyRowIsAFieldOfTheApi() {
        Descriptors.forEachRow((field, defined) -> {
            assertThat(defined).as("%s", field).isNotNull();
            assertThat(field.name()).as("%s", defined.getFullName()).isEqualTo(defined.getName());
            assertThat(field.typeName()).as("%s", defined.getFullName()).isEqualTo(typeName(defined));
        });
    }

    private static String typeName(FieldDescriptor field) {
        if (field.isMapField()) {
            return "map of " + single(field.getMessageType().findFieldByNumber(2));
        }
        return field.isRepeated() ? "repeated " + single(field) : single(field);
    }

    private static String single(FieldDescriptor field) {
        if (field.getType() != FieldDescriptor.Type.MESSAGE) {
            return field.getType().name().toLowerCase(Locale.ROOT);
        }
        return switch (field.getMessageType().getName()) {
            case "Quantity", "Time", "IntOrString" -> field.getMessageType().getName();
            default -> "message";
        };
    }
}
