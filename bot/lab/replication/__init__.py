"""What all studies need: tasks that are performed once and kept, tables beside printed ones, verdicts, pages."""
