package io.evenkeel.hollow.controller;

import io.evenkeel.model.value.Quantity;

/** The capacity of a node, as quantities such as {@code 8} and {@code 32Gi}. */
public record Capacity(String cpu, String memory, int pods, String ephemeralStorage) {

    public static final Capacity DEFAULT = of("8", "32Gi", 110);

    public Capacity {
        check("cpu", cpu);
        check("memory", memory);
        check("ephemeral-storage", ephemeralStorage);
        if (pods < 1) {
            throw new IllegalArgumentException("pods must be at least 1, got " + pods);
        }
    }

    public static Capacity of(String cpu, String memory, int pods) {
        return new Capacity(cpu, memory, pods, "100Gi");
    }

    private static void check(String resource, String quantity) {
        boolean positive;
        try {
            positive = Quantity.parse(quantity).signum() > 0;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "%s must be a quantity such as 8, 500m or 32Gi, got %s".formatted(resource, quantity), e);
        }
        if (!positive) {
            throw new IllegalArgumentException("%s must be more than 0, got %s".formatted(resource, quantity));
        }
    }
}
