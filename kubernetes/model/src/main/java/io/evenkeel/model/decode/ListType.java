package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A list; nulls in it are passed over.
 *
 * @param finish makes of the elements what is kept
 */
record ListType<E>(FieldType<E> element, BiFunction<List<E>, SharedValues, List<E>> finish)
        implements FieldType.OfAnother<List<E>> {
    ListType(FieldType<E> element) {
        this(element, (elements, _) -> List.copyOf(elements));
    }

    @Override
    public List<E> json(JsonCursor in) {
        List<E> elements = new ArrayList<>();
        in.enterList();
        while (in.nextElement()) {
            add(elements, element.json(in));
        }
        return finish.apply(elements, in.shared());
    }

    @Override
    @SuppressWarnings("unchecked") // it is what this has made
    public Object protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        List<E> elements = before == null ? new ArrayList<>() : (List<E>) before;
        add(elements, (E) element.protobuf(in, decoder, null));
        return elements;
    }

    private static <E> void add(List<E> elements, @Nullable E value) {
        if (value != null) {
            elements.add(value);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // it is what this has made
    public List<E> finish(Object gathered, SharedValues shared) {
        return finish.apply((List<E>) gathered, shared);
    }

    @Override
    public boolean isGathered() {
        return true;
    }

    @Override
    public boolean isList() {
        return true;
    }

    @Override
    public void write(List<E> value, Encoder out) {
        out.beginList();
        for (E one : value) {
            element.write(one, out);
        }
        out.endList();
    }

    @Override
    public String typeName() {
        return "repeated " + element.typeName();
    }
}
