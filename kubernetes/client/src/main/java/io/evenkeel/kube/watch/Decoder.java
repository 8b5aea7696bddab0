package io.evenkeel.kube.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.read.ProtobufReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads answers about one kind of object in whichever encoding the server chose. For one thread. */
public final class Decoder {
    private final String kind;
    private final ObjectReader json;
    private final ProtobufReader protobuf;

    public Decoder(Kind<?> kind, ObjectReader json) {
        this.kind = kind.objectKind();
        this.json = json.only(kind);
        this.protobuf = new ProtobufReader(Kinds.of(List.of(kind)));
    }

    public WatchFrames frames(ApiAnswer answer) {
        return answer.isProtobuf()
                ? new ProtobufFrames(answer.body(), kind, protobuf)
                : new JsonFrames(answer.body(), kind, json);
    }

    /**
     * Hands out a page's objects one by one, without ever holding two.
     *
     * @throws IOException if the page breaks off, or is malformed beside its items
     */
    public ListPage page(ApiAnswer answer, Consumer<WatchEvent> items) throws IOException {
        ListPage page;
        try {
            page = answer.isProtobuf()
                    ? new ProtobufPage(kind, protobuf, items).read(answer.body())
                    : new JsonPage(kind, json, items).read(answer.body());
        } catch (JsonProcessingException malformed) {
            throw malformed(JsonCursor.brief(malformed), malformed);
        } catch (ObjectReadException malformed) {
            throw malformed(String.valueOf(malformed.getMessage()), malformed);
        }
        if (page.resourceVersion().isEmpty()) {
            throw new IOException("a list without a resourceVersion");
        }
        return page;
    }

    /** Beside its items, which are skipped one by one where they cannot be read. */
    private IOException malformed(String why, Exception cause) {
        return new IOException("malformed list of " + kind + ": " + why, cause);
    }

    /**
     * The facts of a list's page beside its objects.
     *
     * @param resourceVersion of the whole list
     * @param continueToken asks for the next page; empty on the last
     */
    public record ListPage(String resourceVersion, String continueToken) {}

    /** The events of a watch's answer, as they come in. */
    public interface WatchFrames {

        /**
         * Waits for the next event; empty at the stream's proper end.
         *
         * @throws IOException if the stream broke off
         */
        Optional<WatchEvent> next() throws IOException;
    }
}
