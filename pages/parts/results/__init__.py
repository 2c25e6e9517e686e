"""Parts of the Eval results page: the list of runs, one run, one question, two runs compared."""
