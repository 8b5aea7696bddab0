package io.evenkeel.kube.watch.frame;

/**
 * The facts of a list's page beside its objects.
 *
 * @param resourceVersion of the whole list
 * @param continueToken asks for the next page; empty on the last
 */
public record ListPage(String resourceVersion, String continueToken) {}
