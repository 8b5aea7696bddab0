package io.evenkeel.config;

import io.evenkeel.config.feature.Feature;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The time limit for binding a pod's volumes, and how nodes are scored by the room that there is for them.
 *
 * @param shape what is given; none stands for {@link #EMPTIEST_FIRST} too
 */
public record VolumeBindingArgs(long bindTimeoutSeconds, Optional<List<ShapePoint>> shape) implements PluginArgs {
    /** The less of the room is taken the better. */
    public static final List<ShapePoint> EMPTIEST_FIRST = List.of(new ShapePoint(0, 10), new ShapePoint(100, 0));

    public VolumeBindingArgs {
        shape = shape.map(List::copyOf);
    }

    public static VolumeBindingArgs defaults() {
        return new VolumeBindingArgs(600, Optional.empty());
    }

    /** The function that nodes are scored by. */
    public UtilizationShape scores() {
        return UtilizationShape.of(shape.filter(points -> !points.isEmpty()).orElse(EMPTIEST_FIRST));
    }

    @Override
    public Map<String, Feature> gatedFields() {
        return shape.isPresent() ? Map.of("shape", Feature.STORAGE_CAPACITY_SCORING) : Map.of();
    }
}
