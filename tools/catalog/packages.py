"""Packages in registries, and their known vulnerabilities."""

from __future__ import annotations

from tools.catalog._services import WebServices
from tools.catalog.packages_registries import Registries
from tools.catalog.packages_vulnerabilities import Vulnerabilities
from tools.declare import toolkit


@toolkit("Packages", category="packages", description="Look packages and their known vulnerabilities up.")
class Packages(Registries, Vulnerabilities):
    """Look packages and their known vulnerabilities up.

    Args:
        services: Asks the registries.
    """

    def __init__(self, services: WebServices | None = None) -> None:
        self._services = services or WebServices()
