(clause) @fold
