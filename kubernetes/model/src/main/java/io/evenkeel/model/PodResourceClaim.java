package io.evenkeel.model;

/**
 * Devices that a pod claims: a ResourceClaim, or one that is made for the pod.
 *
 * @param name of it within the pod
 * @param resourceClaimName of the ResourceClaim; empty where it is made by a template
 * @param resourceClaimTemplateName empty where the claim is named
 * @since 0.2
 */
public record PodResourceClaim(String name, String resourceClaimName, String resourceClaimTemplateName) {}
