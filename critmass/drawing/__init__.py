"""Drawing boards: geometry, colours, SVG."""
