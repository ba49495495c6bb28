package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Makes calls out of the methods of an interface, and answers them with an object that has these
 * methods.
 *
 * <pre>{@code
 * interface KeyValue {
 *   @RpcMethod(1) Future<Void> put(String key, String value);
 *   @RpcMethod(2) Future<String> get(String key);
 * }
 *
 * RpcServices.serve(server, KeyValue.class, new KeyValueInMemory());
 * RpcServices.client(client, KeyValue.class).get("colour").onSuccess(...);
 * }</pre>
 *
 * <p>Each method has an {@link RpcMethod} with an opcode of its own and returns a {@link Future}.
 * Arguments and results travel as JSON: text, numbers, booleans, {@code JsonObject}, {@code
 * JsonArray} and {@code Buffer}, or null; a result may be {@code Void}. An exception that the
 * object throws or fails with arrives as an {@link RpcException}.
 */
public final class RpcServices {

  private RpcServices() {}

  /**
   * An object whose methods are calls, without deadline.
   *
   * @throws IllegalArgumentException when a method is not as it should be, naming it
   */
  public static <T> T client(RpcClient client, Class<T> service) {
    return proxy(service, client::call);
  }

  /**
   * An object whose methods are calls that fail when there is no answer within that time.
   *
   * @throws IllegalArgumentException when a method is not as it should be, naming it
   */
  public static <T> T client(RpcClient client, Class<T> service, long deadline, TimeUnit unit) {
    return proxy(service, (opcode, request) -> client.call(opcode, request, deadline, unit));
  }

  /**
   * Answers the calls of an interface with an object's methods.
   *
   * @throws IllegalArgumentException when a method is not as it should be, naming it, or an opcode
   *     has a handler
   */
  public static <T> void serve(RpcServer server, Class<T> service, T implementation) {
    for (Map.Entry<Method, RpcSignature> entry : RpcSignature.all(service).entrySet()) {
      Method method = entry.getKey();
      RpcSignature signature = entry.getValue();
      server.handle(
          signature.opcode(), request -> invoke(method, signature, implementation, request));
    }
  }

  /** Sends a request by opcode. */
  interface Caller {
    Future<Buffer> call(int opcode, Buffer request);
  }

  /** An object whose methods are calls that are sent that way. */
  static <T> T proxy(Class<T> service, Caller caller) {
    Map<Method, RpcSignature> signatures = RpcSignature.all(service);
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          RpcSignature signature = signatures.get(method);
          if (signature != null) {
            return call(caller, signature, arguments);
          }
          return method.isDefault()
              ? InvocationHandler.invokeDefault(proxy, method, arguments)
              : ofObject(service, proxy, method, arguments);
        };
    return service.cast(
        Proxy.newProxyInstance(service.getClassLoader(), new Class<?>[] {service}, handler));
  }

  private static Future<Object> call(Caller caller, RpcSignature signature, Object[] arguments) {
    try {
      return caller
          .call(signature.opcode(), signature.encodeArguments(arguments))
          .map(signature::decodeResult);
    } catch (IllegalArgumentException tooLarge) {
      // Who calls a service does not see messages, and does not expect them to be refused here.
      return Future.failedFuture(tooLarge);
    }
  }

  private static Object ofObject(
      Class<?> service, Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "calls of " + service.getSimpleName();
    };
  }

  private static Future<Buffer> invoke(
      Method method, RpcSignature signature, Object implementation, Buffer request) {
    Object[] arguments;
    try {
      arguments = signature.decodeArguments(request);
    } catch (RuntimeException notTheArguments) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "these are not the arguments of "
                  + method.getName()
                  + ": "
                  + notTheArguments.getMessage()));
    }
    try {
      Future<?> result = (Future<?>) method.invoke(implementation, arguments);
      return result.map(value -> new JsonArray().add(value).toBuffer());
    } catch (InvocationTargetException thrown) {
      return Future.failedFuture(thrown.getCause());
    } catch (IllegalAccessException hidden) {
      return Future.failedFuture(hidden);
    }
  }
}
