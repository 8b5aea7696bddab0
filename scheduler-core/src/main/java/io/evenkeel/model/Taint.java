package io.evenkeel.model;

/** A taint of a node. */
public record Taint(String key, String value, TaintEffect effect) {}
