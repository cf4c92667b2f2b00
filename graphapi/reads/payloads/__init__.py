"""The shapes of the reads' answers, one module a read: what each key is, and when it is there."""
