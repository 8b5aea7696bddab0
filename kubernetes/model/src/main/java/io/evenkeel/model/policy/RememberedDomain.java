package io.evenkeel.model.policy;

/**
 * A domain that counts for skew though no node may be open there any more: the policy's status says so until it is forgotten.
 *
 * @param goneSince when no node there was found to be open to the policy's pods, as RFC 3339 has it; empty while one is
 */
public record RememberedDomain(String topologyKey, String domain, String goneSince) {

    /** Whether the last reading found no open node there. */
    public boolean isGone() {
        return !goneSince.isEmpty();
    }
}
