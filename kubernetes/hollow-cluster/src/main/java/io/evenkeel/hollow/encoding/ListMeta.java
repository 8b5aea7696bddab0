package io.evenkeel.hollow.encoding;

/**
 * The metadata of a list.
 *
 * @param continueToken empty on the last page
 * @param remaining how many follow; negative where the server does not say
 */
public record ListMeta(String resourceVersion, String continueToken, long remaining) {}
