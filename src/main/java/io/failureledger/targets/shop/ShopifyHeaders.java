package io.failureledger.targets.shop;

import java.util.Map;
import java.util.Optional;

/**
 * Shopify's message attributes, as a handler gets them. Two families exist, {@code X-Shopify-Topic}
 * and {@code shopify-topic}: both are found, without case; with both present the first is taken.
 * Blank counts as absent.
 */
final class ShopifyHeaders {
  private final Map<String, Object> headers;

  ShopifyHeaders(Map<String, Object> headers) {
    this.headers = headers;
  }

  Optional<String> topic() {
    return find("shopify-topic");
  }

  Optional<String> shopDomain() {
    return find("shopify-shop-domain");
  }

  Optional<String> triggeredAt() {
    return find("shopify-triggered-at");
  }

  private Optional<String> find(String name) {
    Object value = headers.get("x-" + name);
    if (value == null) {
      value = headers.get(name);
    }
    if (value == null) { // a header map that minds case
      value =
          headers.entrySet().stream()
              .filter(
                  h ->
                      h.getKey().equalsIgnoreCase("x-" + name) || h.getKey().equalsIgnoreCase(name))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(null);
    }
    return Optional.ofNullable(value)
        .map(Object::toString)
        .map(String::strip)
        .filter(text -> !text.isEmpty());
  }
}
