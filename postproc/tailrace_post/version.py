# SPDX-License-Identifier: Apache-2.0
"""Version of this package (the project's), and of the file schema that it reads."""

__version__ = "0.1.0"
SCHEMA_VERSION = 1
