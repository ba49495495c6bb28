package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A method of a service: its opcode, and how its arguments and its result become JSON. */
final class RpcSignature {

  private static final Set<Class<?>> VALUES =
      Set.of(
          String.class,
          Integer.class,
          int.class,
          Long.class,
          long.class,
          Double.class,
          double.class,
          Boolean.class,
          boolean.class,
          JsonObject.class,
          JsonArray.class,
          Buffer.class);

  private final int opcode;
  private final Class<?>[] parameters;
  private final Class<?> result;

  private RpcSignature(int opcode, Class<?>[] parameters, Class<?> result) {
    this.opcode = opcode;
    this.parameters = parameters;
    this.result = result;
  }

  /**
   * Those of an interface's methods, but for default and static ones.
   *
   * @throws IllegalArgumentException naming the first method that is not as it should be
   */
  static Map<Method, RpcSignature> all(Class<?> service) {
    if (!service.isInterface()) {
      throw new IllegalArgumentException(service.getName() + " is no interface");
    }
    Map<Method, RpcSignature> signatures = new HashMap<>();
    Set<Integer> opcodes = new HashSet<>();
    for (Method method : service.getMethods()) {
      if (!Modifier.isAbstract(method.getModifiers())) {
        continue;
      }
      RpcSignature signature = of(method);
      if (!opcodes.add(signature.opcode)) {
        throw wrong(method, "has opcode " + signature.opcode + ", as another one has");
      }
      // An implementation may well be of a class that nobody else sees.
      method.trySetAccessible();
      signatures.put(method, signature);
    }
    return signatures;
  }

  private static RpcSignature of(Method method) {
    RpcMethod annotation = method.getAnnotation(RpcMethod.class);
    if (annotation == null) {
      throw wrong(method, "has no @RpcMethod");
    }
    try {
      RpcWire.checkOpcode(annotation.value());
    } catch (IllegalArgumentException outOfRange) {
      throw wrong(method, outOfRange.getMessage());
    }
    for (Class<?> parameter : method.getParameterTypes()) {
      if (!VALUES.contains(parameter)) {
        throw wrong(method, parameter.getSimpleName() + " is no JSON value");
      }
    }
    Type returned = method.getGenericReturnType();
    if (method.getReturnType() != Future.class
        || !(returned instanceof ParameterizedType future)
        || !(future.getActualTypeArguments()[0] instanceof Class<?> result)
        || !VALUES.contains(result) && result != Void.class) {
      throw wrong(method, "must return a Future of a JSON value or Void");
    }
    return new RpcSignature(annotation.value(), method.getParameterTypes(), result);
  }

  private static IllegalArgumentException wrong(Method method, String what) {
    return new IllegalArgumentException(
        method.getDeclaringClass().getSimpleName() + "." + method.getName() + ": " + what);
  }

  int opcode() {
    return opcode;
  }

  Buffer encodeArguments(Object[] arguments) {
    JsonArray json = new JsonArray();
    if (arguments != null) {
      for (Object argument : arguments) {
        json.add(argument);
      }
    }
    return json.toBuffer();
  }

  /**
   * What a request has.
   *
   * @throws RuntimeException of whatever kind when it has something else
   */
  Object[] decodeArguments(Buffer request) {
    JsonArray json = new JsonArray(request);
    if (json.size() != parameters.length) {
      throw new IllegalArgumentException(
          parameters.length + " are needed, " + json.size() + " came");
    }
    Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = value(json, i, parameters[i]);
      if (arguments[i] == null && parameters[i].isPrimitive()) {
        throw new IllegalArgumentException("number " + (i + 1) + " must not be null");
      }
    }
    return arguments;
  }

  Object decodeResult(Buffer answer) {
    JsonArray json = new JsonArray(answer);
    return result == Void.class ? null : value(json, 0, result);
  }

  private static Object value(JsonArray json, int index, Class<?> type) {
    if (type == Integer.class || type == int.class) {
      return json.getInteger(index);
    }
    if (type == Long.class || type == long.class) {
      return json.getLong(index);
    }
    if (type == Double.class || type == double.class) {
      return json.getDouble(index);
    }
    if (type == Boolean.class || type == boolean.class) {
      return json.getBoolean(index);
    }
    if (type == JsonObject.class) {
      return json.getJsonObject(index);
    }
    if (type == JsonArray.class) {
      return json.getJsonArray(index);
    }
    return type == Buffer.class ? json.getBuffer(index) : json.getString(index);
  }
}
