"""Files that `npm run docs` writes."""
