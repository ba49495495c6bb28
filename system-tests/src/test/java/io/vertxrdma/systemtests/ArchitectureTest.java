package io.vertxrdma.systemtests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** Holds the walls between the modules. */
@AnalyzeClasses(packages = "io.vertxrdma", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule arrows_point_one_way =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("core")
          .definedBy("io.vertxrdma.core..")
          .layer("cm-events")
          .definedBy("io.vertxrdma.cm..")
          .layer("reactive-api")
          .definedBy("io.vertxrdma.reactive..")
          .layer("soft-roce")
          .definedBy("io.vertxrdma.soft..")
          .layer("observability")
          .definedBy("io.vertxrdma.observability..")
          .layer("directory")
          .definedBy("io.vertxrdma.directory..")
          .layer("tools")
          .definedBy("io.vertxrdma.tools..")
          .layer("demos")
          .definedBy("io.vertxrdma.demos..")
          .whereLayer("demos")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("soft-roce")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("soft-roce")
          .mayOnlyAccessLayers("core")
          .whereLayer("tools")
          .mayOnlyBeAccessedByLayers("demos")
          .whereLayer("reactive-api")
          .mayOnlyBeAccessedByLayers("observability", "tools", "demos")
          .whereLayer("cm-events")
          .mayOnlyBeAccessedByLayers("reactive-api", "observability", "tools", "demos")
          .whereLayer("observability")
          .mayOnlyBeAccessedByLayers("tools", "demos")
          .whereLayer("directory")
          .mayOnlyBeAccessedByLayers("demos")
          .whereLayer("directory")
          .mayNotAccessAnyLayer();

  @ArchTest
  static final ArchRule only_the_native_provider_knows_jnr =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.vertxrdma.core.nativeverbs..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jnr..", "com.kenai..");

  @ArchTest
  static final ArchRule nobody_names_a_provider_at_compile_time =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.vertxrdma.core.nativeverbs..", "io.vertxrdma.soft..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.vertxrdma.core.nativeverbs..", "io.vertxrdma.soft..");

  @ArchTest
  static final ArchRule epoll_is_known_where_descriptors_and_sockets_are =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.vertxrdma.cm.eventloop", "io.vertxrdma.soft.io")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty.channel.epoll..");

  @ArchTest
  static final ArchRule libraries_log_through_slf4j_only =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.vertxrdma.core..",
              "io.vertxrdma.cm..",
              "io.vertxrdma.reactive..",
              "io.vertxrdma.soft..",
              "io.vertxrdma.observability..",
              "io.vertxrdma.directory..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("ch.qos.logback..", "java.util.logging..");

  @ArchTest
  static final ArchRule micrometer_is_known_where_its_meters_are =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.vertxrdma.observability.micrometer")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.micrometer..");

  @ArchTest
  static final ArchRule health_checks_are_known_where_the_procedures_are =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.vertxrdma.observability.health")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx.ext.healthchecks..");

  @ArchTest
  static final ArchRule no_cluster_manager_is_chosen_for_the_application =
      noClasses()
          .that()
          .resideInAPackage("io.vertxrdma.directory..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.hazelcast..", "io.vertx.spi..");

  @ArchTest
  static final ArchRule the_optional_parts_exist =
      classes()
          .that()
          .haveFullyQualifiedName("io.vertxrdma.observability.micrometer.MicrometerMetrics")
          .or()
          .haveFullyQualifiedName("io.vertxrdma.observability.health.RdmaHealth")
          .or()
          .haveFullyQualifiedName("io.vertxrdma.directory.RdmaDirectory")
          .should()
          .bePublic();

  @ArchTest
  static final ArchRule flight_recorder_is_asked_for_in_one_place =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.FlightRecords.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jdk.jfr..");

  private static final Set<String> PURE =
      Set.of(
          "Negotiation",
          "NegotiatedParameters",
          "Adjustment",
          "DeviceLimits",
          "PeerOffer",
          "DriverQuirks",
          "ConnectionState",
          "ConnectionStateMachine",
          "Transition",
          "Outcome",
          "Stimulus",
          "CmFailures",
          "PrivateDataLimits");

  @ArchTest
  static final ArchRule negotiation_and_state_machine_are_pure =
      noClasses()
          .that(
              new DescribedPredicate<JavaClass>("are the pure rules of connecting") {
                @Override
                public boolean test(JavaClass type) {
                  return type.getPackageName().equals("io.vertxrdma.cm")
                      && PURE.contains(type.getSimpleName());
                }
              })
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.vertx..", "io.netty..", "io.vertxrdma.core.nativeverbs..");

  @ArchTest
  static final ArchRule the_pure_rules_exist =
      classes()
          .that()
          .haveFullyQualifiedName("io.vertxrdma.cm.Negotiation")
          .or()
          .haveFullyQualifiedName("io.vertxrdma.cm.ConnectionStateMachine")
          .should()
          .bePublic();

  @ArchTest
  static final ArchRule no_state_in_statics =
      fields()
          .that()
          .areStatic()
          .and()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(
              "io.vertxrdma.core..",
              "io.vertxrdma.cm..",
              "io.vertxrdma.reactive..",
              "io.vertxrdma.soft..",
              "io.vertxrdma.observability..",
              "io.vertxrdma.directory..")
          .should()
          .beFinal();

  @ArchTest
  static final ArchRule nothing_sleeps =
      noClasses().should().callMethod(Thread.class, "sleep", long.class);
}
