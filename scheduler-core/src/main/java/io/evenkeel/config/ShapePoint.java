package io.evenkeel.config;

/** A corner of a piecewise linear function from utilization in per cent to a score between 0 and 10. */
public record ShapePoint(int utilization, int score) {}
