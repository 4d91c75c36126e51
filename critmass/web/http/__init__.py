"""What belongs to HTTP and not to the game: the server, caches, limits, headers, assets, errors."""
