// For the operator, once, before the first receipt. The bundle never runs it. Running it twice changes nothing.
//
// Neo4j: without these, two writers that meet a new id in the same moment each create its node (seen with eight writers),
// and every look-up by id scans its label. With them MERGE waits for the other writer and finds its node.
//
// Neptune: do not run. It has no constraints or indexes to create: every property is indexed, and its locks on
// the ranges that MERGE has read keep two writers from creating one node twice.
CREATE CONSTRAINT user_id IF NOT EXISTS FOR (u:User) REQUIRE u.id IS UNIQUE;
CREATE CONSTRAINT shop_id IF NOT EXISTS FOR (s:Shop) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT product_id IF NOT EXISTS FOR (p:Product) REQUIRE p.id IS UNIQUE;
CREATE INDEX purchased_receipt_id IF NOT EXISTS FOR ()-[p:PURCHASED]-() ON (p.receipt_id);
