package io.evenkeel.hollow.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.decode.Message;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.FieldType.Scalar;
import io.evenkeel.schema.Schema.MessageType;
import io.evenkeel.schema.TypeMeta;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kinds that a scheduler reads are served, and all that it reads of them is in the schema. */
class WatchedKindsTest {

    static Stream<Kind<?>> kinds() {
        return Kinds.IN_TREE.all().stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindIsServedAtItsPath(Kind<?> kind) {
        assertThat(ResourceTable.find(kind.group(), kind.version(), kind.plural()))
                .hasValueSatisfying(type -> {
                    assertThat(type.kind()).isEqualTo(kind.objectKind());
                    assertThat(type.namespaced()).isEqualTo(kind.namespaced());
                });
    }

    @Test
    void noResourceIsServedTwice() {
        assertThat(ResourceTable.ALL).doesNotHaveDuplicates();
        assertThat(ResourceTable.ALL)
                .extracting(type -> type.apiVersion() + "/" + type.resource())
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyRowOfItsTableIsAFieldOfTheSchema(Kind<?> kind) {
        String message = Schema.KUBERNETES
                .nameOf(new TypeMeta(kind.apiVersion(), kind.objectKind()))
                .orElseThrow();
        compare(kind.table(), Schema.KUBERNETES.message(message), message);
    }

    private static void compare(Message<?> table, MessageType type, String where) {
        for (io.evenkeel.model.decode.Field<?> row : table.fields()) {
            MessageType parent = table.inlinedFields().contains(row)
                    ? nested(type.part(table.inlinedNumber()).orElseThrow())
                    : type;
            assertThat(parent.field(row.number())).as("%s %s", where, row).hasValueSatisfying(field -> {
                assertThat(row.name()).as(where).isEqualTo(field.name());
                assertThat(row.typeName().replaceFirst("int(32|64)$", "int"))
                        .as("%s.%s", where, field.name())
                        .isEqualTo(typeName(field));
                row.message().ifPresent(inner -> compare(inner, nested(field), where + "." + field.name()));
            });
        }
    }

    private static MessageType nested(Field field) {
        return Schema.KUBERNETES.message(((Nested) field.type()).message());
    }

    private static String typeName(Field field) {
        String one = field.type() instanceof Scalar scalar
                ? switch (scalar) {
                    case STRING -> "string";
                    case INT -> "int";
                    case BOOL -> "bool";
                    case QUANTITY -> "Quantity";
                    case TIME -> "Time";
                    case INT_OR_STRING -> "IntOrString";
                    case BYTES, MICRO_TIME, TEXTS, JSON -> "message";
                }
                : "message";
        return switch (field.count()) {
            case ONE -> one;
            case MANY -> "repeated " + one;
            case MAP -> "map of " + one;
        };
    }
}
