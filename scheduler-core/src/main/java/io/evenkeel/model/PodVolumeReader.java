package io.evenkeel.model;

import java.util.Optional;

/** Reads what counts of a pod's volumes. */
final class PodVolumeReader {
    private PodVolumeReader() {}

    static void read(JsonCursor in, PodBuilder pod) {
        in.enterList();
        while (in.nextElement()) {
            readVolume(in, pod);
        }
    }

    private static void readVolume(JsonCursor in, PodBuilder pod) {
        String name = "";
        Optional<PodVolume.Source> source = Optional.empty();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "name" -> name = in.sharedString();
                case "image" -> PodSpecReader.readOne(in, "reference", pod::imageVolume);
                default -> {
                    source = PodVolume.Source.either(source, PodVolume.Source.ofField(in.field()));
                    in.skip();
                }
            }
        }
        if (source.isPresent()) {
            pod.volume(name, source.get());
        }
    }
}
