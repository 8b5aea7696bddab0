package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A list; nulls in it are passed over. */
record ListType<E>(FieldType<E> element) implements FieldType<List<E>> {
    @Override
    public List<E> json(JsonCursor in) {
        List<E> elements = new ArrayList<>();
        in.enterList();
        while (in.nextElement()) {
            add(elements, element.json(in));
        }
        return List.copyOf(elements);
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
        return List.copyOf((List<E>) gathered);
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
    public boolean isCopied() {
        return element.isCopied();
    }

    @Override
    public void project(ProtobufCursor in, Projection projection) {
        element.project(in, projection);
    }

    @Override
    public Optional<Message<?>> message() {
        return element.message();
    }

    @Override
    public String typeName() {
        return "repeated " + element.typeName();
    }
}
