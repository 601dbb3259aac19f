"""The commands of ``conspectus``, from parsed options to an exit code, and how they speak."""
