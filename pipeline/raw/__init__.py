"""What lies below the raw root: files and links, sidecars, the inventory, the archive of captures and its log."""
