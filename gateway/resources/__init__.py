"""The resources that clients read beside the tools: the documents of reading sessions, served from the sessions' store."""
