package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatefulClaimsTest {

    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(1, 1, Capacity.DEFAULT));
    private final Drawn drawn = new Drawn(world);
    private final DrawnVolumes volumes = new DrawnVolumes(world);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void eachOrdinalHasItsClaimsAndMountsThem() throws Exception {
        set("db", 2, "");

        assertThat(volumes.claims()).containsExactly("data-db-0", "data-db-1", "log-db-0", "log-db-1");
        JsonObject claim = volumes.claimTree("data-db-1");
        assertThat(Trees.object(claim, "metadata", "labels"))
                .map(JsonObject::toString)
                .hasValue("{\"tier\":\"gold\",\"app\":\"db\"}");
        assertThat(DrawnVolumes.annotation(claim, "note")).isEqualTo("n");
        assertThat(Trees.text(claim, "spec", "resources", "requests", "storage"))
                .isEqualTo("1Gi");
        assertThat(claim.getAsJsonObject("metadata").has("ownerReferences")).isFalse();
        assertThat(mounts("db-1")).containsExactly("data data-db-1", "log log-db-1", "tmp ");
    }

    @Test
    void claimsStayForTheNextPodOfTheirOrdinal() throws Exception {
        volumes.storageClass("disk", "disk.example.com", "Immediate", "");
        set("db", 2, "");
        String before = volumes.claimState("data-db-1");
        assertThat(before).startsWith("Bound to pvc-");

        scale("db", 0);
        assertThat(drawn.names(ResourceTable.PODS)).isEmpty();
        scale("db", 2);
        assertThat(drawn.names(ResourceTable.PODS)).hasSize(2);
        assertThat(volumes.claimState("data-db-1")).isEqualTo(before);

        delete("db");
        assertThat(volumes.claims()).hasSize(4);
    }

    @Test
    void claimsGoWithThePodThatIsScaledAwayIfTheySay() throws Exception {
        set("db", 2, "'persistentVolumeClaimRetentionPolicy':{'whenScaled':'Delete','whenDeleted':'Retain'},");

        scale("db", 1);
        assertThat(volumes.claims()).containsExactly("data-db-0", "log-db-0");
        world.objects().delete(ResourceTable.PODS, "default", "db-0");
        world.settle();
        assertThat(volumes.claims()).as("not scaled away").hasSize(2);
        delete("db");
        assertThat(volumes.claims()).hasSize(2);
    }

    @Test
    void claimsGoWithTheSetIfTheySay() throws Exception {
        set("db", 2, "'persistentVolumeClaimRetentionPolicy':{'whenScaled':'Retain','whenDeleted':'Delete'},");

        scale("db", 1);
        assertThat(volumes.claims()).hasSize(4);
        delete("db");
        assertThat(volumes.claims()).isEmpty();
    }

    @Test
    void aPodThatIsStillToBePlacedGetsALostClaimAnew() throws Exception {
        set("db", 1, "");
        volumes.delete("data-db-0");
        drawn.patch(ResourceTable.PODS, "db-0", "{\"metadata\":{\"labels\":{\"touched\":\"yes\"}}}");

        assertThat(volumes.claims()).containsExactly("data-db-0", "log-db-0");
    }

    /** With two templates, of which one takes the place of a volume that the pods' template has by its name. */
    private void set(String name, int replicas, String spec) throws InterruptedException {
        volumes.create("""
            {'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'%s'},
             'spec':{%s 'replicas':%d,'selector':{'matchLabels':{'app':'db'}},'podManagementPolicy':'Parallel',
              'template':{'metadata':{'labels':{'app':'db'}},
               'spec':{'containers':[{'name':'c','image':'pause:1'}],'automountServiceAccountToken':false,
                'volumes':[{'name':'log','emptyDir':{}},{'name':'tmp','emptyDir':{}}]}},
              'volumeClaimTemplates':[%s,%s]}}\
            """.formatted(
                        name, spec, replicas, template("data", ",'storageClassName':'disk'"), template("log", "")));
    }

    private static String template(String name, String members) {
        return """
            {'metadata':{'name':'%s','labels':{'tier':'gold','app':'none'},'annotations':{'note':'n'}},
             'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}%s}}\
            """.formatted(name, members);
    }

    /** The names of a pod's volumes, each with its claim, without the ServiceAccount's token. */
    private List<String> mounts(String pod) {
        return Trees.objects(drawn.get(ResourceTable.PODS, pod), "spec", "volumes").stream()
                .filter(volume -> !volume.has("projected"))
                .map(volume ->
                        Trees.text(volume, "name") + " " + Trees.text(volume, "persistentVolumeClaim", "claimName"))
                .toList();
    }

    private void scale(String name, int replicas) throws InterruptedException {
        drawn.patch(ResourceTable.STATEFUL_SETS, name, "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    private void delete(String name) throws InterruptedException {
        world.objects().delete(ResourceTable.STATEFUL_SETS, "default", name);
        world.settle();
    }
}
