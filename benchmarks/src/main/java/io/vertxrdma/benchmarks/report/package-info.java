/** Brings the figures of all benchmarks together: with their goals, as JSON and as a page. */
package io.vertxrdma.benchmarks.report;
