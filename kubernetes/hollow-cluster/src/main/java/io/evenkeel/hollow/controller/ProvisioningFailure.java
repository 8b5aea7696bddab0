package io.evenkeel.hollow.controller;

/** Why a volume could not be made, as its claim's events say it. */
final class ProvisioningFailure extends Exception {

    ProvisioningFailure(String why) {
        super(why);
    }
}
