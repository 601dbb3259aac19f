"""The stages of a run in their order, from the plan to the summary."""
