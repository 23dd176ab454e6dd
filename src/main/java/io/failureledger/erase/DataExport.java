package io.failureledger.erase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that is known of a customer, in one JSON file that only its owner may read. It is written
 * beside and moved into place, so after a crash it is whole or not there. A repeat replaces it.
 */
public final class DataExport {
  private static final Logger LOG = LoggerFactory.getLogger(DataExport.class);
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final PersonalData data;
  private final Path directory;

  /**
   * @param directory null when none is set: then no export is written
   */
  public DataExport(PersonalData data, Path directory) {
    this.data = data;
    this.directory = directory;
  }

  /** No export can be written. Its event is parked, and succeeds once the setting is there. */
  public static final class NoExportDirectoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoExportDirectoryException(String message) {
      super(message);
    }
  }

  /**
   * Writes the file {@code <shop>-<customer>-<request>.json}.
   *
   * @param orders ids of orders that the request names besides
   * @param request the event's identity; a repeat of it writes the same file
   * @throws IOException naming the file that cannot be written
   * @throws SQLException when a target did not answer; no file is written then
   */
  public Path write(String shop, String customerId, List<String> orders, String request)
      throws IOException, SQLException {
    if (directory == null) {
      throw new NoExportDirectoryException(
          "shopify.export.directory is not set, so the data of the request cannot be exported.");
    }
    ObjectMapper json = new ObjectMapper();
    ObjectNode all = json.createObjectNode();
    all.put("shop_domain", shop);
    all.put("customer_id", customerId);
    ObjectNode places = all.putObject("found");
    for (Map.Entry<String, List<JsonNode>> place :
        data.find(shop, customerId, orders.isEmpty() ? null : orders).entrySet()) {
      places.putArray(place.getKey()).addAll(place.getValue());
    }
    Files.createDirectories(directory);
    UUID name = UUID.nameUUIDFromBytes(request.getBytes(StandardCharsets.UTF_8));
    Path file = directory.resolve(shop + "-" + customerId + "-" + name + ".json");
    Path draft = Files.createTempFile(directory, "export", ".part", OWNER_ONLY);
    try {
      Files.write(draft, json.writerWithDefaultPrettyPrinter().writeValueAsBytes(all));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
    LOG.info("wrote the export of request {} to {}", request, file);
    return file;
  }
}
