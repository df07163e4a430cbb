"""Version of this package; a check keeps it equal to those of the npm packages."""

VERSION = "0.2.0"
