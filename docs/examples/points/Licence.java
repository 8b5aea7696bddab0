package com.example;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.kind.Kind;

/** A custom resource that says for which node a licence is granted. */
record Licence(ObjectMeta meta, String grantedFor) implements PluginObject {
    private static final Message<String> STATUS = Message.of(fields -> {
        var node = fields.string("node", 1);
        return read -> read.get(node);
    });

    static final Kind<Licence> KIND =
            new Kind<>("Licence", "example.com", "v1", "licences", false, Licence.class, Message.ofObject(fields -> {
                var node = fields.message("status", 3, STATUS, "");
                return read -> new Licence(read.get(Metadata.FIELD), read.get(node));
            }));

    @Override
    public String kindName() {
        return "Licence";
    }
}
