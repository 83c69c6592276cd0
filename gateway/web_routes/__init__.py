"""The web application's two routes about one file (REF-92 to REF-96): tool calls in all but how they are asked and answered."""
