package io.evenkeel.model;

/**
 * An object that only plugins read: of a kind that a plugin brings, or of one of Evenkeel's own. It is watched, kept and
 * handed to indexes and hints as all others are.
 *
 * @since 0.1
 */
public non-sealed interface PluginObject extends KubernetesObject {}
