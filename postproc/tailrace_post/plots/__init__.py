# SPDX-License-Identifier: Apache-2.0
"""The pictures, one module each; style.py holds what they share."""
