/** Health checks for Vert.x; vertx-health-check must be on the class path. */
package io.vertxrdma.observability.health;
