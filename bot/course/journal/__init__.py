"""The journal: record schema, write-ahead writer, reader, verification, and the per-user state."""
