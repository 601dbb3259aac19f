"""Other tools open a published dataset (``make interop``); ``test_check`` tests the checking itself."""
