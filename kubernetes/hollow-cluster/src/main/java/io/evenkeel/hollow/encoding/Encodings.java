package io.evenkeel.hollow.encoding;

import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.schema.TypeMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Chooses among encodings by an Accept header. The first encoding is the one for who accepts anything. */
public record Encodings(List<Encoding> offered) {

    public Encodings {
        offered = List.copyOf(offered);
    }

    /** The first type in the client's order that is offered; parameters other than q are the views' affair. */
    public Encoding choose(String accept, TypeMeta type) {
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
