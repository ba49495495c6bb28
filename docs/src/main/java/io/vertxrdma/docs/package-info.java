/** The code of the user guide, so that the compiler reads it too. */
package io.vertxrdma.docs;
