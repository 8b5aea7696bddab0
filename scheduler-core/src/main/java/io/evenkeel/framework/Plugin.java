package io.evenkeel.framework;

/**
 * A scheduler plugin. It takes part at the extension points whose interfaces it implements; the configuration decides
 * at which of them it is enabled.
 */
public interface Plugin {
    String name();
}
