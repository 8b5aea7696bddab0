package io.evenkeel.model.device;

import java.util.List;

/**
 * Parameters for a driver, which only the driver reads.
 *
 * @param requests whom they are for: requests of the claim, or {@code request/alternative}; empty for all
 * @param parameters as JSON
 */
public record DeviceConfiguration(List<String> requests, String driver, String parameters) {}
