// Merges one version of one receipt. openCypher that Neptune takes too: no APOC, no FOREACH, no CALL, no subquery.
// Returns purchases = 0 when a newer version is there already: superseded.
// Times are UTC text of one width, so that text order is time order; ids and money are text.

// The user is written to before anything is read: versions of one user's receipts queue here.
MERGE (u:User {id: $user_id})
SET u.id = $user_id
WITH u
OPTIONAL MATCH (u)-[known:PURCHASED {receipt_id: $receipt_id}]->(:Product)
WITH u, max(known.updated_at) AS known_at
WHERE known_at IS NULL OR known_at <= $updated_at

// The newest receipt names the shop.
MERGE (s:Shop {id: $shop_id})
SET s.name = CASE WHEN s.updated_at IS NULL OR s.updated_at <= $updated_at THEN $shop_name ELSE s.name END
SET s.updated_at = CASE WHEN s.updated_at IS NULL OR s.updated_at <= $updated_at THEN $updated_at ELSE s.updated_at END
MERGE (u)-[visit:SHOPS_AT]->(s)
SET visit.last_purchased_at = CASE
  WHEN visit.last_purchased_at IS NULL OR visit.last_purchased_at < $purchased_at THEN $purchased_at
  ELSE visit.last_purchased_at END

// What this version no longer lists.
WITH u
OPTIONAL MATCH (u)-[gone:PURCHASED {receipt_id: $receipt_id}]->(p:Product)
WHERE NOT p.id IN $product_ids
DELETE gone

WITH DISTINCT u
UNWIND $items AS item
MERGE (p:Product {id: item.product_id})
SET p.name = CASE WHEN p.updated_at IS NULL OR p.updated_at <= $updated_at THEN item.name ELSE p.name END
SET p.updated_at = CASE WHEN p.updated_at IS NULL OR p.updated_at <= $updated_at THEN $updated_at ELSE p.updated_at END
MERGE (u)-[purchase:PURCHASED {receipt_id: $receipt_id}]->(p)
SET purchase.shop_id = $shop_id,
    purchase.purchased_at = $purchased_at,
    purchase.updated_at = $updated_at,
    purchase.quantity = item.quantity,
    purchase.price = item.price,
    purchase.currency = $currency,
    purchase.receipt_total = $total
RETURN count(purchase) AS purchases
