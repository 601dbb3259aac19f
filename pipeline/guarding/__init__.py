"""Guards: captures that parse are measured, compared with earlier ones, and rejected if they look wrong."""
