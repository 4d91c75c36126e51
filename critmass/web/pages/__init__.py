"""The pages around the matches, and what installers and robots ask for."""
