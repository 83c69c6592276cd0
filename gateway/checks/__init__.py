"""The checks a call passes before a task exists, in order; the first refusal decides. Nothing here knows a tool's work."""
