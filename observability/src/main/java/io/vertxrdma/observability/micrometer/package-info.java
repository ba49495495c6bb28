/** Meters for Micrometer, which must be on the class path. */
package io.vertxrdma.observability.micrometer;
