package io.evenkeel.model.kind;

import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.value.NamedConstant;
import java.util.Map;

final class TaintFields {
    private static final Map<String, TaintEffect> EFFECTS = NamedConstant.byName(TaintEffect.class);

    static final Message<Taint> TAINT = Message.of(fields -> {
        var key = fields.string("key", 1).from(Taint::key);
        var value = fields.string("value", 2).from(Taint::value);
        var effect = fields.constant("effect", 3, EFFECTS).from(Taint::effect);
        return read -> new Taint(read.get(key), read.get(value), read.get(effect));
    });

    static final Message<Toleration> TOLERATION = Message.of(fields -> {
        var key = fields.string("key", 1).from(Toleration::key);
        var operator = fields.constant(
                        "operator", 2, NamedConstant.byName(Toleration.Operator.class), Toleration.Operator.EQUAL)
                .from(Toleration::operator);
        var value = fields.string("value", 3).from(Toleration::value);
        var effect = fields.optionalConstant("effect", 4, EFFECTS).from(Toleration::effect);
        return read -> new Toleration(read.get(key), read.get(operator), read.get(value), read.get(effect));
    });

    private TaintFields() {}
}
