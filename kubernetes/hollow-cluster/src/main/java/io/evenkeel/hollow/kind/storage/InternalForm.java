package io.evenkeel.hollow.kind.storage;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.Map;

/**
 * Objects as a real server has them in its memory, which some refusals show: with all fields, under names of their own, in an
 * order of their own.
 *
 * @param template the fields with what they are if nothing was said; a name with a question mark is of an object that may be
 *     missing, and of a list there is one entry
 */
record InternalForm(JsonObject template) {

    static final InternalForm CLAIM = parse("""
        {"AccessModes":null,"Selector":null,"Resources":{"Limits":null,"Requests":null},"VolumeName":"",
         "StorageClassName":null,"VolumeMode":null,"DataSource?":{"APIGroup":null,"Kind":"","Name":""},
         "DataSourceRef?":{"APIGroup":null,"Kind":"","Name":"","Namespace":null},"VolumeAttributesClassName":null}\
        """);

    /** Of those sources that are not looked into, what was said. */
    static final InternalForm VOLUME_SOURCE = parse("""
        {"GCEPersistentDisk":null,"AWSElasticBlockStore":null,"HostPath?":{"Path":"","Type":""},"Glusterfs":null,
         "NFS?":{"Server":"","Path":"","ReadOnly":false},"RBD":null,"Quobyte":null,"ISCSI":null,"FlexVolume":null,
         "Cinder":null,"CephFS":null,"FC":null,"Flocker":null,"AzureFile":null,"VsphereVolume":null,
         "AzureDisk":null,"PhotonPersistentDisk":null,"PortworxVolume":null,"ScaleIO":null,
         "Local?":{"Path":"","FSType":null},"StorageOS":null,"CSI?":{"Driver":"","VolumeHandle":"",
         "ReadOnly":false,"FSType":"","VolumeAttributes":null,
         "ControllerPublishSecretRef?":{"Name":"","Namespace":""},"NodeStageSecretRef?":{"Name":"","Namespace":""},
         "NodePublishSecretRef?":{"Name":"","Namespace":""},"ControllerExpandSecretRef?":{"Name":"","Namespace":""},
         "NodeExpandSecretRef?":{"Name":"","Namespace":""}}}\
        """);

    static final InternalForm NODE_AFFINITY = parse("""
        {"Required?":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"","Operator":"","Values":null}],
         "MatchFields":[{"Key":"","Operator":"","Values":null}]}]}}\
        """);

    static final InternalForm CSI_NODE_DRIVER = parse("""
        {"Name":"","NodeID":"","TopologyKeys":null,"Allocatable":null}\
        """);

    static final InternalForm ATTACHMENT = parse("""
        {"Attacher":"","Source":{"PersistentVolumeName":null,"InlineVolumeSpec":null},"NodeName":""}\
        """);

    private static final String OPTIONAL = "?";

    private static InternalForm parse(String template) {
        return new InternalForm(Trees.parse(template));
    }

    JsonObject of(JsonObject tree) {
        return formed(template, tree);
    }

    private static JsonObject formed(JsonObject template, JsonObject tree) {
        JsonObject form = new JsonObject();
        template.entrySet().forEach(field -> {
            String name = field.getKey().replace(OPTIONAL, "");
            JsonElement value = value(tree, name);
            boolean missing = value.isJsonNull();
            form.add(
                    name,
                    switch (field.getValue()) {
                        case JsonObject nested ->
                            missing && field.getKey().endsWith(OPTIONAL)
                                    ? value
                                    : formed(nested, missing ? new JsonObject() : value.getAsJsonObject());
                        case JsonArray entry
                        when !missing -> {
                            JsonArray entries = new JsonArray();
                            value.getAsJsonArray()
                                    .forEach(each -> entries.add(
                                            formed(entry.get(0).getAsJsonObject(), each.getAsJsonObject())));
                            yield entries;
                        }
                        case JsonArray _ -> value;
                        case JsonElement otherwise -> missing ? otherwise : value.deepCopy();
                    });
        });
        return form;
    }

    /** The names differ from those in JSON in the case of their letters alone. */
    private static JsonElement value(JsonObject tree, String name) {
        return tree.entrySet().stream()
                .filter(member -> member.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(JsonNull.INSTANCE);
    }
}
