"""The game log: schema, write-ahead writer, reader, replay."""
