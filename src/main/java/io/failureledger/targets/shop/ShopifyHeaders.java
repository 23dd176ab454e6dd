package io.failureledger.targets.shop;

import java.util.Map;
import java.util.Optional;
import org.apache.camel.Message;

/**
 * Shopify's message attributes on an exchange. Two families exist, {@code X-Shopify-Topic} and
 * {@code shopify-topic}: both are found, without case; with both present the first is taken. Blank
 * counts as absent.
 */
final class ShopifyHeaders {
  private final Message message;

  ShopifyHeaders(Message message) {
    this.message = message;
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
    Object value = message.getHeader("x-" + name);
    if (value == null) {
      value = message.getHeader(name);
    }
    if (value == null) { // a header map that minds case
      value =
          message.getHeaders().entrySet().stream()
              .filter(
                  h ->
                      h.getKey().equalsIgnoreCase("x-" + name) || h.getKey().equalsIgnoreCase(name))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(null);
    }
    return Optional.ofNullable(text(value)).map(String::strip).filter(text -> !text.isEmpty());
  }

  private String text(Object value) {
    return value == null
        ? null
        : message.getExchange().getContext().getTypeConverter().convertTo(String.class, value);
  }
}
