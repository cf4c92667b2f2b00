"""What stands before what in an answer, and which words of an artifact it shows: pure functions, no store."""
