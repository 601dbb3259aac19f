"""What lies below the raw root: files and links, sidecars, the inventory, the archive of captures and its log.

No other folder opens it; nobody changes what is there, and only the archive adds to it.

Imports: base.
Touches: reads files, writes files.
"""
