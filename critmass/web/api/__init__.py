"""The API page and the OpenAPI file, both made from one description."""
