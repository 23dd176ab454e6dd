// Merges one version of one receipt. openCypher that Neptune takes too: no APOC, no FOREACH, no CALL, no subquery.
// Returns purchases = 0 when a newer version is there already: superseded.
// Times are UTC text of one width, so that text order is time order; ids and money are text. A time that is there already and
// later than $believable is from the future, and loses. quantity is a number; where it has decimals, quantity_exact has its digits.

// The user is written to before anything is read: versions of one user's receipts queue here. Not its id: writing an indexed
// property would lock the index too, and two new users would wait for each other.
MERGE (u:User {id: $user_id})
SET u.last_receipt_id = $receipt_id
WITH u
OPTIONAL MATCH (u)-[known:PURCHASED {receipt_id: $receipt_id}]->(:Product)
WITH u, max(known.updated_at) AS known_at
WHERE known_at IS NULL OR known_at <= $updated_at OR known_at > $believable

// What this version no longer lists.
OPTIONAL MATCH (u)-[gone:PURCHASED {receipt_id: $receipt_id}]->(p:Product)
WHERE NOT p.id IN $product_ids
DELETE gone

// Shops and products are shared by all users: they are written to only when they are new or were renamed.
WITH DISTINCT u
MERGE (s:Shop {id: $shop_id})
ON CREATE SET s.name = $shop_name, s.updated_at = $updated_at
MERGE (u)-[visit:SHOPS_AT]->(s)
SET visit.last_purchased_at = CASE
  WHEN visit.last_purchased_at IS NULL OR visit.last_purchased_at < $visited_at OR visit.last_purchased_at > $believable THEN $visited_at
  ELSE visit.last_purchased_at END
WITH u
OPTIONAL MATCH (renamed:Shop {id: $shop_id})
WHERE coalesce(renamed.name, '') <> $shop_name AND (renamed.updated_at < $updated_at OR renamed.updated_at > $believable)
SET renamed.name = $shop_name, renamed.updated_at = $updated_at

WITH DISTINCT u
UNWIND $items AS item
MERGE (p:Product {id: item.product_id})
ON CREATE SET p.name = item.name, p.updated_at = $updated_at
MERGE (u)-[purchase:PURCHASED {receipt_id: $receipt_id}]->(p)
SET purchase.shop_id = $shop_id,
    purchase.purchased_at = $purchased_at,
    purchase.updated_at = $updated_at,
    purchase.quantity = item.quantity,
    purchase.quantity_exact = item.quantity_exact,
    purchase.price = item.price,
    purchase.currency = $currency,
    purchase.receipt_total = $total
WITH item
OPTIONAL MATCH (renamed:Product {id: item.product_id})
WHERE coalesce(renamed.name, '') <> item.name AND (renamed.updated_at < $updated_at OR renamed.updated_at > $believable)
SET renamed.name = item.name, renamed.updated_at = $updated_at
RETURN count(item) AS purchases
