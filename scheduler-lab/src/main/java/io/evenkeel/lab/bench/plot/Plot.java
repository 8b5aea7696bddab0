package io.evenkeel.lab.bench.plot;

/**
 * A drawing.
 *
 * @param name of the file that it belongs into
 */
public record Plot(String name, String svg) {}
