package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.EventConversion;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.schema.TypeMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Turns objects into bytes in the encoding that a client accepts; a version is encoded once for all who ask.
 *
 * @param offered the first is for who accepts anything
 */
record ObjectWriter(List<Encoding> offered) {

    private record Form(Encoding encoding, ResourceType type) {}

    ObjectWriter {
        offered = List.copyOf(offered);
    }

    /** The encoding that a client accepts for a type. */
    Encoding choose(ApiRequest request, TypeMeta type) {
        return choose(request.accept(), type).including(request.query().text("includeObject"));
    }

    byte[] body(Encoding encoding, ResourceType type, StoredObject object) {
        Supplier<byte[]> encode = () -> encoding.body(type.typeMeta(), EventConversion.toServed(type, object.tree()));
        return encoding.keepsBodies() ? object.encoded(new Form(encoding, type), encode) : encode.get();
    }

    byte[] whole(Encoding encoding, ResourceType type, StoredObject object) {
        return encoding.object(type.typeMeta(), body(encoding, type, object));
    }

    ApiReply reply(int code, ApiRequest request, ResourceType type, StoredObject object) {
        Encoding encoding = choose(request, type.typeMeta());
        return ApiReply.of(code, encoding.mediaType(), whole(encoding, type, object));
    }

    ApiReply reply(int code, ApiRequest request, TypeMeta type, JsonObject tree) {
        Encoding encoding = choose(request, type);
        return ApiReply.of(code, encoding.mediaType(), encoding.object(type, encoding.body(type, tree)));
    }

    /** The first type in the client's order that is offered; parameters other than q are the views' affair. */
    private Encoding choose(String accept, TypeMeta type) {
        if (accept.isBlank()) {
            return offered.getFirst();
        }
        for (Range range : ranges(accept)) {
            Optional<Encoding> match = offered.stream()
                    .filter(encoding -> range.matches(encoding) && encoding.supports(type))
                    .findFirst();
            if (match.isPresent()) {
                return match.get();
            }
        }
        throw Refusals.notAcceptable(offered.stream().map(Encoding::mediaType).toList());
    }

    private static List<Range> ranges(String accept) {
        List<Range> ranges = new ArrayList<>();
        for (String part : accept.split(",", -1)) {
            String[] pieces = part.split(";", -1);
            double quality = 1;
            String view = "";
            for (String piece : pieces) {
                if (piece.strip().startsWith("q=")) {
                    quality = qualityOf(piece.strip().substring(2));
                }
                if (piece.strip().startsWith("as=")) {
                    view = piece.strip().substring("as=".length());
                }
            }
            ranges.add(new Range(pieces[0].strip(), view, quality));
        }
        ranges.sort(Comparator.comparingDouble(Range::quality).reversed());
        return ranges;
    }

    private static double qualityOf(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private record Range(String mediaType, String view, double quality) {
        boolean matches(Encoding encoding) {
            String offered = encoding.mediaType();
            return quality > 0
                    && view.equals(encoding.view())
                    && (mediaType.equals("*/*")
                            || mediaType.equals(offered)
                            || (mediaType.endsWith("/*")
                                    && offered.startsWith(mediaType.substring(0, mediaType.length() - 1))));
        }
    }
}
