/** JMH benchmarks of what an immediate passes through, and the program that runs all benchmarks. */
package io.vertxrdma.benchmarks;
