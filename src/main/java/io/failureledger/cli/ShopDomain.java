package io.failureledger.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A shop as an argument, in lower case. */
record ShopDomain(String text) {

  /** Refuses what is no domain. */
  static final class Converter implements ITypeConverter<ShopDomain> {
    @Override
    public ShopDomain convert(String value) {
      String shop = value.toLowerCase(Locale.ROOT);
      if (!shop.matches("[a-z0-9][a-z0-9.-]{0,253}")) {
        throw new TypeConversionException(
            "'" + value + "' is no shop domain; one is like acme.myshopify.com");
      }
      return new ShopDomain(shop);
    }
  }
}
