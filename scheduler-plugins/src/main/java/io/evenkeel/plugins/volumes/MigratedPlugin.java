package io.evenkeel.plugins.volumes;

import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeSource.Csi;
import io.evenkeel.model.storage.VolumeSource.Migrated;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The plugins of former Kubernetes that CSI drivers stand in for, by which volumes are made, found and attached today. */
public enum MigratedPlugin {
    AWS_DISK(
            Source.AWS_ELASTIC_BLOCK_STORE,
            "kubernetes.io/aws-ebs",
            "ebs.csi.aws.com",
            "topology.ebs.csi.aws.com/zone"),
    GCE_DISK(Source.GCE_PERSISTENT_DISK, "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"),
    AZURE_DISK(Source.AZURE_DISK, "kubernetes.io/azure-disk", "disk.csi.azure.com", ""),
    CINDER(Source.CINDER, "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"),
    PORTWORX(Source.PORTWORX_VOLUME, "kubernetes.io/portworx-volume", "pxd.portworx.com", "");

    private static final Map<Source, MigratedPlugin> BY_SOURCE = new EnumMap<>(Source.class);
    private static final Map<String, MigratedPlugin> BY_NAME = new HashMap<>();

    static {
        Arrays.stream(values()).forEach(plugin -> {
            BY_SOURCE.put(plugin.source, plugin);
            BY_NAME.put(plugin.pluginName, plugin);
        });
    }

    private final Source source;
    private final String pluginName;
    private final String driver;
    private final String zoneKey;

    MigratedPlugin(Source source, String pluginName, String driver, String zoneKey) {
        this.source = source;
        this.pluginName = pluginName;
        this.driver = driver;
        this.zoneKey = zoneKey;
    }

    /** By the name that CSINodes and storage classes have for it, such as {@code kubernetes.io/aws-ebs}. */
    public String pluginName() {
        return pluginName;
    }

    /** The label by which the driver tells zones apart; empty where it does not. */
    String zoneKey() {
        return zoneKey;
    }

    /** The plugin of a volume's source; none stands in for two of the sources, as far as the scheduler goes. */
    public static Optional<MigratedPlugin> of(VolumeSource source) {
        return source instanceof Migrated migrated
                ? Optional.ofNullable(BY_SOURCE.get(migrated.plugin()))
                : Optional.empty();
    }

    /** The driver that makes the volumes of a class, where that names a plugin of former days. */
    public static String driverOf(String provisioner) {
        MigratedPlugin plugin = BY_NAME.get(provisioner);
        return plugin == null ? provisioner : plugin.driver;
    }

    /** The volume as a CSI driver knows it; empty where none does. */
    public static Optional<Csi> csi(PersistentVolume volume) {
        return switch (volume.source()) {
            case Csi csi -> Optional.of(csi);
            case Migrated migrated -> of(migrated).flatMap(plugin -> plugin.csi(migrated.id(), DiskZones.of(volume)));
            case VolumeSource.Other _ -> Optional.empty();
        };
    }

    /** The volume of a pod that has it without a claim. */
    public static Optional<Csi> csi(PodVolume volume) {
        MigratedPlugin plugin = BY_SOURCE.get(volume.source());
        return plugin == null ? Optional.empty() : plugin.csi(volume.id(), "");
    }

    private Optional<Csi> csi(String id, String zones) {
        Optional<String> handle = switch (this) {
            case AWS_DISK -> DiskZones.awsHandle(id);
            case GCE_DISK -> DiskZones.gceHandle(id, zones);
            case AZURE_DISK, CINDER, PORTWORX -> Optional.of(id);
        };
        return handle.filter(text -> !text.isEmpty()).map(text -> new Csi(driver, text));
    }
}
