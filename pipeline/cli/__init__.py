"""The commands of ``conspectus``, from parsed options to an exit code, and their output."""
