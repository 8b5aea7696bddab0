package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.EventConversion;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.List;

/**
 * Objects as rows of a {@code meta.k8s.io/v1 Table}. A body is a row; whatever is sent, an object, a list or an event, is a
 * table of its rows.
 *
 * @param included what comes with a row: {@code Metadata}, {@code Object} or {@code None}
 */
record TableEncoding(InstantSource clock, String included) implements Encoding {

    private static final TypeMeta TABLE = new TypeMeta("meta.k8s.io/v1", "Table");
    private static final String DEFAULT = "Metadata";
    private static final JsonEncoding JSON = new JsonEncoding();

    TableEncoding(InstantSource clock) {
        this(clock, DEFAULT);
    }

    @Override
    public String mediaType() {
        return JSON.mediaType();
    }

    @Override
    public String watchContentType() {
        return JSON.watchContentType();
    }

    @Override
    public String view() {
        return TABLE.kind();
    }

    @Override
    public boolean keepsBodies() {
        return false; // ages
    }

    @Override
    public Encoding including(String what) {
        return what.isEmpty() || what.equals(included) ? this : new TableEncoding(clock, what);
    }

    @Override
    public boolean supports(TypeMeta type) {
        return ResourceTable.ofKind(type.apiVersion(), kindOf(type))
                .filter(ResourceType::stored)
                .isPresent();
    }

    @Override
    public byte[] body(TypeMeta type, JsonObject tree) {
        JsonArray cells = new JsonArray();
        // a bookmark is an object without a name, and a table without rows
        if (!Trees.text(tree, "metadata", "name").isEmpty()) {
            Columns.Row shown = new Columns.Row(stored(type, tree), clock.instant());
            Columns.of(type.kind()).forEach(column -> cells.add(column.cell().apply(shown)));
        }
        JsonObject row = Trees.of("cells", cells);
        switch (included) {
            case "None" -> {}
            case "Object" -> row.add("object", typed(type, tree, true));
            default -> row.add("object", typed(new TypeMeta(TABLE.apiVersion(), "PartialObjectMetadata"), tree, false));
        }
        return row.toString().getBytes(UTF_8);
    }

    @Override
    public byte[] object(TypeMeta type, byte[] body) {
        JsonObject row = Trees.parse(new String(body, UTF_8));
        JsonArray rows = new JsonArray();
        if (!row.getAsJsonArray("cells").isEmpty()) {
            rows.add(row);
        }
        String version = Trees.text(row, "object", "metadata", "resourceVersion");
        return table(type, new ListMeta(version, "", -1), rows).toString().getBytes(UTF_8);
    }

    @Override
    public void list(OutputStream out, TypeMeta listType, ListMeta meta, List<byte[]> bodies) throws IOException {
        String empty = table(listType, meta, new JsonArray()).toString();
        out.write(empty.substring(0, empty.length() - "]}".length()).getBytes(UTF_8));
        JsonEncoding.endList(out, bodies);
    }

    @Override
    public byte[] event(String eventType, byte[] object) {
        return JSON.event(eventType, object);
    }

    private static JsonObject table(TypeMeta type, ListMeta meta, JsonArray rows) {
        JsonArray columns = new JsonArray();
        Columns.of(kindOf(type)).forEach(column -> columns.add(column.definition()));
        return Trees.of(
                "kind", TABLE.kind(),
                "apiVersion", TABLE.apiVersion(),
                "metadata", meta.json(),
                "columnDefinitions", columns,
                "rows", rows);
    }

    private static JsonObject typed(TypeMeta type, JsonObject tree, boolean whole) {
        JsonObject object = Trees.of("kind", type.kind(), "apiVersion", type.apiVersion());
        tree.entrySet().stream()
                .filter(member -> whole || member.getKey().equals("metadata"))
                .forEach(member -> object.add(member.getKey(), member.getValue()));
        return object;
    }

    /** Cells are of the form that is the same for all versions. */
    private static JsonObject stored(TypeMeta type, JsonObject tree) {
        return ResourceTable.ofKind(type.apiVersion(), type.kind())
                .map(resource -> EventConversion.toStored(resource, tree))
                .orElse(tree);
    }

    private static String kindOf(TypeMeta type) {
        String kind = type.kind();
        return kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind;
    }
}
