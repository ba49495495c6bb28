/** What the demonstrations have in common: processes to play with, and the errors of protocols. */
package io.vertxrdma.demos;
