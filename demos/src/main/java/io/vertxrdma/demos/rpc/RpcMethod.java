package io.vertxrdma.demos.rpc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A method of an interface that {@link RpcServices} calls and serves. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RpcMethod {

  /** Its opcode, 1..255; what is called goes by that, not by the name. */
  int value();
}
