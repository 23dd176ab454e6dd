-- The time by the ledger's clock, in microseconds since 1970: what instances tell by it when an event was received.
select (extract(epoch from now()) * 1000000)::bigint as now_micros
