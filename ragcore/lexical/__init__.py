"""Words as lexical search sees them: lexemes, their weights, abbreviations. Knows no database."""
